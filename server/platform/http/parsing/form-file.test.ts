import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openFormFile } from './form-file.ts';

const TYPE = 'multipart/form-data; boundary=xyz';

async function read(text: string, { type = TYPE, size = text.length } = {}) {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  const body = Readable.from(chunks);
  const { content, fileName } = openFormFile(type, body);
  const read = await buffer(content).finally(() => assert.ok(body.readableEnded, 'the whole body is read'));
  return [fileName(), read.toString()];
}

const part = (head: string, content: string) => `--xyz\r\n${head}\r\n\r\n${content}\r\n`;
const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
const file = (name: string, content: string) =>
  part(`${disposition(`name="file"; filename="${name}"`)}\r\nContent-Type: text/plain`, content);

test('the file is found among other fields, wherever the body is divided', async () => {
  const content = 'one\r\n--xy\r\n--xyZ\r\n\r\n--';
  const text = `before\r\n${part(disposition('name="a"'), 'b')}${file('é.txt', content)}${part(disposition('name=c'), '')}--xyz--\r\nafter`;
  for (let size = 1; size < text.length + 2; size++) {
    assert.deepEqual(await read(text, { size }), ['é.txt', content], String(size));
  }
});

test('boundaries and names are read as clients write them', async () => {
  for (const [type, boundary] of [
    ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
    ['Multipart/Form-Data;boundary=----WebKitFormBoundary7', '----WebKitFormBoundary7'],
  ] as const) {
    const text = file('a.txt', 'hello').replace('xyz', boundary);
    assert.deepEqual(await read(`${text}--${boundary}--`, { type }), ['a.txt', 'hello']);
  }
  for (const [given, expected] of [
    ['name="file"; filename="a \\"b\\".txt"', 'a b.txt'],
    ['name="file"; filename="a%22b%0D%0A.txt"', 'ab.txt'],
    ['filename=a.txt; name=file', 'a.txt'],
  ] as const) {
    assert.deepEqual(await read(`${part(disposition(given), 'hello')}--xyz--`), [expected, 'hello'], given);
  }
});

test('a faulty form is refused once it has arrived', async () => {
  for (const [text, message] of [
    [`${part(disposition('name="a"'), '')}--xyz--`, 'file is required'],
    [`${part(disposition('name="file"'), 'a text')}--xyz--`, 'file is required'],
    [`${file('a', '1')}${file('b', '2')}--xyz--`, 'file is given more than once'],
    [
      `${file('a', '1')}${part(disposition('name="b"; filename="b"'), '2')}--xyz--`,
      'b is not a field of this request',
    ],
    [
      `${file('a', '1')}${part(disposition('name="b"'), '').repeat(100)}--xyz--`,
      'body has more than 100 fields',
    ],
    [file('a', '1'), 'body ended before it was complete'],
    ['{}', 'body ended before it was complete'],
    [`${part('Content-Type: text/plain', '1')}--xyz--`, 'file is required'],
    [`--xyz\r\n${'x'.repeat(10_000)}`, 'body ended before it was complete'],
  ] as const) {
    await assert.rejects(read(text), { message, status: 400 });
    await assert.rejects(read(text, { size: 3 }), { message });
  }
  for (const type of ['application/json', 'multipart/form-data', 'multipart/mixed; boundary=xyz']) {
    await assert.rejects(read('', { type }), { status: 415 });
  }
});
