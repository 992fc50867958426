import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends lines unchanged, for requests that no HTTP client would send; returns the whole response. */
export async function rawRequest(url: string, lines: string[]): Promise<string> {
  return rawBytes(url, `${lines.join('\r\n')}\r\n\r\n`);
}

/** Sends bytes unchanged and waits until the server closes the connection. */
export async function rawBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}
