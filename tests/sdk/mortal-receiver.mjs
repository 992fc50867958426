import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** A bot whose process dies, as by `kill -9`, at a given point of handling an event. */
const { sdk, sdkForNode, directory, log, now, doomed, point, ...settings } = JSON.parse(process.argv[2]);
const [{ Bot }, { FileEventStore }] = await Promise.all([import(sdk), import(sdkForNode)]);

function die(here, msgId) {
  if (here === point && msgId === doomed) process.kill(process.pid, 'SIGKILL');
}

class MortalStore extends FileEventStore {
  async claim(msgId) {
    die('received', msgId);
    const claim = await super.claim(msgId);
    die('claimed', msgId);
    return claim;
  }

  async done(msgId) {
    die('handled', msgId);
    await super.done(msgId);
    die('done', msgId);
  }
}

const bot = new Bot({ ...settings, store: new MortalStore({ directory }), now: () => now });
bot.on('message', async (message) => {
  appendFileSync(log, `${message.msgId}\n`);
  await message.reply(`You wrote: ${message.textMsg}`);
  die('replied', message.msgId);
});
const server = createServer(bot.nodeHandler());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.once('disconnect', () => process.exit());
