/** The part of the package that the documentation uses; its own types would add browser types to the whole program. */
declare module 'highlight.js/lib/core' {
  import type { LanguageFn } from 'highlight.js/lib/languages/*';

  const hljs: {
    registerLanguage(name: string, language: LanguageFn): void;
    getLanguage(name: string): object | undefined;
    highlight(code: string, options: { language: string }): { value: string };
  };
  export default hljs;
}

declare module 'highlight.js/lib/languages/*' {
  export type LanguageFn = (hljs: object) => object;
  const language: LanguageFn;
  export default language;
}
