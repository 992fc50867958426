import type { ApiDocument, Endpoint } from './document.ts';
import { toCurl } from './languages/curl.ts';
import { toGo } from './languages/go.ts';
import { toJavaScript } from './languages/javascript.ts';
import { toPython } from './languages/python.ts';
import { sampleRequest } from './request.ts';

export interface Sample {
  language: 'curl' | 'JavaScript' | 'Python' | 'Go';
  /** For the highlighter. */
  syntax: string;
  code: string;
}

/** Code that calls an operation with the values of its example. A test runs every sample. */
export function listSamples(document: ApiDocument, endpoint: Endpoint): Sample[] {
  const request = sampleRequest(document, endpoint);
  return [
    { language: 'curl', syntax: 'bash', code: toCurl(request) },
    { language: 'JavaScript', syntax: 'javascript', code: toJavaScript(request) },
    { language: 'Python', syntax: 'python', code: toPython(request) },
    { language: 'Go', syntax: 'go', code: toGo(request) },
  ];
}
