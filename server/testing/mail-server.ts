import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { listening } from './free-port.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as they arrived. */
  text: string;
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** The token of the link in a mail, which may span lines (quoted-printable, RFC 2045). */
export function tokenIn(mail: ReceivedMail | undefined): string {
  const text = mail?.text.replace(/=\n/g, '').replaceAll('=3D', '=') ?? '';
  const token = /token=(app_\w+\.alc_\w+\.[\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in ${text}`);
  return token;
}

/** Receives mail on this machine with a minimal part of SMTP (RFC 5321). */
export async function startMailServer() {
  const sockets = new Set<Socket>();
  /** Those on which a mail is arriving. */
  const busy = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      busy.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    converse(socket, mailServer, busy);
  });
  const port = await listening(server);
  const mailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [] as ReceivedMail[],
    /** The reply to every recipient from now on; a 250 accepts the mail. */
    answer: '250 ok',
    /** The most mails that arrived at once. */
    mostAtOnce: 0,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return mailServer;
}

function converse(socket: Socket, server: MailServer, busy: Set<Socket>): void {
  let mail: ReceivedMail = { from: '', to: [], text: '' };
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 test');
  createInterface({ input: socket }).on('line', (line) => {
    if (isData) {
      if (line !== '.') {
        mail.text += `${line}\n`;
        return;
      }
      isData = false;
      server.mails.push(mail);
      busy.delete(socket);
      mail = { from: '', to: [], text: '' };
      say('250 taken');
    } else if (/^MAIL FROM:/i.test(line)) {
      mail.from = addressIn(line);
      busy.add(socket);
      server.mostAtOnce = Math.max(server.mostAtOnce, busy.size);
      say('250 ok');
    } else if (/^RCPT TO:/i.test(line)) {
      if (server.answer.startsWith('2')) mail.to.push(addressIn(line));
      say(server.answer);
    } else if (/^DATA$/i.test(line)) {
      isData = true;
      say('354 go on');
    } else if (/^QUIT$/i.test(line)) {
      say('221 bye');
      socket.end();
    } else {
      say('250 ok');
    }
  });
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
