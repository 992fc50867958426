import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

const ATTACKS = [
  '<script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '" onfocus="alert(1)" autofocus="',
  '<svg/onload=alert(1)>',
  '</style><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<a href="javascript:alert(1)">x</a>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)',
  '\u{1f98a}<b>\u0000</b>',
  '<![CDATA[<script>alert(1)</script>]]>',
  '$&<b>$1</b>',
];

/** Decodes the character references used here, as a browser does. */
function decode(text: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] as string);
}

test('no attack escapes its element or attribute, and each is shown as typed', () => {
  for (const attack of ATTACKS) {
    const [, attribute = '', content = ''] = /^<p title="(.*)">(.*)<\/p>$/s.exec(
      html`<p title="${attack}">${attack}</p>`.text,
    ) as RegExpExecArray;
    for (const written of [attribute, content]) {
      assert.doesNotMatch(written, /[<>"']/, attack);
      assert.equal(decode(written), attack);
    }
  }
});

test('HTML in HTML is not escaped again; lists are joined; absent values render as nothing', () => {
  const item = (name: string) => html`<li>${name}</li>`;
  assert.equal(html`<ul>${['a', '<b>'].map(item)}</ul>`.text, '<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  assert.equal(html`[${undefined}${false}${0}${''}${['<', html`<br>`, ['&']]}]`.text, '[0&lt;<br>&amp;]');
  assert.equal(html`plain`.text, 'plain');
});

test('an object that only looks like HTML is rejected', () => {
  // A value of the wrong type at run time.
  const forged = { text: '<script>' } as unknown as string;
  assert.throws(() => html`${forged}`);
});
