import type { TestContext } from 'node:test';
import {
  Client,
  type ClientOptions,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Config } from '#platform/config.ts';
import { findFreePort } from './free-port.ts';
import type { TestPlatformOptions } from './platform.ts';
import { createWorldFor } from './world.ts';

/** A server at a port of its own, and clients of the protocol's official SDK. */
export async function mcpScene(
  t: TestContext,
  config: Partial<Config> = {},
  options: TestPlatformOptions = {},
) {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const world = await createWorldFor(t, { publicUrl: url, ...config }, options);
  await world.app.listen({ port, host: 'localhost' });
  const allows = (application: { appId: string; owner: { accountId: string } }, isOn = true) =>
    world.switches(application, 'mcp', isOn);
  const connect = async (token: string, more: Record<string, string> = {}, options: ClientOptions = {}) => {
    const client = new Client({ name: 'test', version: '1' }, options);
    const headers = { authorization: `Bearer ${token}`, ...more };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    t.after(() => client.close());
    return client;
  };
  /** The data of the result, or the text of its error. */
  const call = async (
    client: Client,
    name: string,
    given: Record<string, unknown> = {},
    options: RequestOptions = {},
  ) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given }, options);
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return isError ? text : JSON.parse(text);
  };
  return { world, url, allows, connect, call };
}
