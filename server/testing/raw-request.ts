import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends lines as they are, for what no HTTP client would send; gives back everything the server answered. */
export async function rawRequest(url: string, lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return text(socket);
}
