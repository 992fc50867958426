import { LIMITS } from '#contract/limits.ts';

const SECRET_CHOICES =
  '1. Yes, and the old one stops at once\n2. No, leave it\n3. Yes, and for 24 hours the old one also signs webhook-signature (Standard Webhooks, SDK)';

/** Everything that the management bot says. Plain text: clients make its /commands clickable. */
export const TEXTS = {
  name: 'Bot Manager',
  description:
    'Makes bots and looks after them: a new bot, a new API key, a description, commands, a webhook.',
  commands: {
    newbot: 'make a new bot',
    mybots: 'your bots and how they are',
    token: 'a new API key; the old one stops at once',
    setdescription: 'what your bot says about itself',
    setcommands: 'what people find behind / in your bot',
    setwebhook: 'where messages to your bot are sent',
    cancel: 'forget what we were doing',
    help: 'what I can do',
  },

  start:
    'Hello! I make bots and look after them. Send /newbot to make your first one, or /help to see all I can do.',
  help: (lines: string) =>
    `This is what I can do:\n${lines}\n\nYou may name the bot at once: /setdescription my_bot. Where I show a list, answer with a number.`,
  unknown:
    'I did not understand that. Send /newbot to make a bot, /mybots to see yours, or /help for everything.',
  unknownCommand: (command: string) => `I have no command /${command}. Send /help to see what I can do.`,
  onlyText: 'I can read text only.',
  cancelled: 'All right, forgotten. Send /help to see what I can do.',
  nothingToCancel: 'There is nothing to cancel. Send /help to see what I can do.',
  tooFast:
    'You are faster than me. Give me a minute, then go on: what you send until then stays without an answer.',
  failed:
    'Something went wrong on our side, and I could not do that. Nothing was shown to anybody. Please try again.',
  confirmFirst: (consoleUrl: string) =>
    `Keys, secrets and webhooks are changed only within 10 minutes of a sign-in, so that nobody does it on a device you left open. Sign in again, or confirm that it is you in the console (${consoleUrl}), in this same browser. Then send me that once more.`,
  tooManySecrets: (limit: number, what: string, minutes: number) =>
    `That is more than ${limit} ${what} in an hour. Please come back in ${minutes} min.`,
  tooManyApplications: (consoleUrl: string) =>
    `You have ${LIMITS.applicationsPerAccount} applications, and more than that nobody may have. Delete one in the console first: ${consoleUrl}`,

  noBots: 'You have no bot yet. Send /newbot to make one.',
  notYours: (name: string) => `None of your bots is called “${name}”.`,
  which: (list: string) => `Which bot? Answer with a number or its username:\n${list}`,
  botGone: 'That bot is not there any more. Send /mybots to see yours.',

  askName: `What shall your bot be called? People see this name, for example: Weather of Ada. At most ${LIMITS.applicationNameLength} characters.`,
  nameTooLong: (length: number) =>
    `That name has ${length} characters; it may have ${LIMITS.applicationNameLength}. Please send a shorter one.`,
  askUsername: (suggestions: string) =>
    `Good. Now its username, by which people find it: ${LIMITS.botUsernameMinLength} to ${LIMITS.botUsernameMaxLength} lower-case letters, digits and _, ending with “bot”.${suggestions}`,
  suggestions: (list: string) => `\nThese are free; answer with a number to take one:\n${list}`,
  usernameTaken: (username: string) => `@${username} is taken.`,
  usernameLength: (length: number) =>
    `That username has ${length} characters; it must have ${LIMITS.botUsernameMinLength} to ${LIMITS.botUsernameMaxLength}, for example weather_bot.`,
  usernameCharacters: 'A username has lower-case letters, digits and _ only, for example weather_bot.',
  usernameEnd: 'A username ends with “bot”, for example weather_bot.',
  usernameImpostor: (serviceName: string) =>
    `A username may not contain “${serviceName}”, the name of this service. Please choose another, for example weather_bot.`,
  made: (bot: { name: string; username: string; apiKey: string; url: string }) =>
    `Done! ${bot.name} (@${bot.username}) is there. This is its API key:\n\n${bot.apiKey}\n\nKeep it where nobody else sees it. I take this message away in 10 minutes, or when you answer 1 (done); nobody can show the key again.\n\nTry it:\n${curl(bot)}\n\nNext: write to @${bot.username} yourself (bots cannot write first), then /setdescription, /setcommands, and /setwebhook to receive messages.`,

  askRenew: (username: string) =>
    `A new API key for @${username}? The one in use stops at once.\n1. Yes, make a new key\n2. No, leave it`,
  kept: 'All right, the key stays as it is.',
  renewed: (bot: { username: string; apiKey: string; url: string }) =>
    `The old key of @${bot.username} is dead. This is the new one:\n\n${bot.apiKey}\n\nI take this message away in 10 minutes, or when you answer 1 (done); nobody can show the key again.\n\nTry it:\n${curl(bot)}`,
  asleep: (state: string) =>
    `\n\nIts application is ${state}: until that ends every call is refused, also with this key.`,
  askDone: 'Have you kept it? Answer 1 (done), and I take it out of our chat.',
  removed: 'Taken out of our chat. Send /mybots to see your bots.',
  nothingToRemove: 'There is no key or secret left in our chat. Send /help to see what I can do.',
  secretNotice: 'What stood here was a secret, shown once. It was removed. Send /token for a new API key.',

  askDescription: (username: string, current: string) =>
    `What shall @${username} say about itself? At most ${LIMITS.botDescriptionLength} characters, for example: Tells you tomorrow's weather. Send “empty” for none.${current && `\n\nNow it says: ${current}`}`,
  descriptionTooLong: (length: number) =>
    `That has ${length} characters; a description may have ${LIMITS.botDescriptionLength}. Please send a shorter one.`,
  described: (username: string) => `People who look at @${username} see that now.`,
  undescribed: (username: string) => `@${username} has no description now.`,

  askCommands: (username: string, current: string) =>
    `Which commands does @${username} have? Send all of them, one in a line, for example:\nstart - begin\ntoday - the weather of today\n\nAt most ${LIMITS.botCommands}. Send “empty” for none.${current && `\n\nNow it has:\n${current}`}`,
  commandsFaulty: (faults: string) =>
    `Nothing was changed. Please mend these lines and send all of them again:\n${faults}`,
  lineForm: 'is not of the form “name - description”',
  lineName: 'the name may have lower-case letters, digits and _ only',
  lineNameLength: (length: number) =>
    `the name has ${length} characters; it may have ${LIMITS.botCommandNameLength}`,
  lineDescriptionLength: (length: number) =>
    `the description has ${length} characters; it may have ${LIMITS.botCommandDescriptionLength}`,
  lineTwice: 'this command comes twice',
  moreFaults: (count: number) => `and ${count} more`,
  tooManyCommands: (count: number) =>
    `Those are ${count} commands; a bot may have ${LIMITS.botCommands}. Please send fewer.`,
  commanded: (username: string, count: number, changes: string) =>
    `@${username} has ${count === 1 ? 'one command' : `${count} commands`} now; people find them behind / in its chat.\n\n${changes}`,
  commandsAdded: (names: string) => `Added: ${names}`,
  commandsChanged: (names: string) => `New description: ${names}`,
  commandsRemoved: (names: string) => `Removed: ${names}`,
  commandsKept: (names: string) => `As before: ${names}`,
  commandsLowered: (names: string) => `In lower case, as every name must be: ${names}`,
  uncommanded: (username: string) => `@${username} has no commands now.`,

  askWebhook: (username: string, current: string | undefined) =>
    `Where shall messages to @${username} be sent? Send a public https address, for example https://hooks.example.com/parley.${current === undefined ? '' : `\n\nNow it is ${current}\n1. Leave it as it is\n2. Remove it`}`,
  notUrl: 'That is no address. It begins with https://, for example https://hooks.example.com/parley.',
  badUrl: (fault: string) => `That address cannot be used: ${fault}.`,
  webhookSet: (username: string, consoleUrl: string) =>
    `From now on messages to @${username} are sent there, signed. Do you need a new signing secret? I show it once; the console can make one, too: ${consoleUrl}\n${SECRET_CHOICES}`,
  askSecret: `Answer with a number:\n${SECRET_CHOICES}`,
  webhookKept: 'All right, it stays as it is.',
  webhookRemoved: (username: string) =>
    `@${username} has no webhook now. Its messages can be fetched from GET /v1/events.`,
  noWebhook: (username: string) => `@${username} has no webhook, so there is nothing to remove.`,
  webhookSecret: (username: string, secret: string, overlapHours: number | undefined) =>
    `The new webhook secret of @${username}:\n\n${secret}\n\nIt signs from the next event on. ${overlapHours === undefined ? 'The old one signs nothing more.' : `The old one also signs webhook-signature for ${overlapHours} hours.`} I take this message away in 10 minutes, or when you answer 1 (done).`,

  myBots: (list: string) =>
    `Your bots:\n\n${list}\n\nChange them with /token, /setdescription, /setcommands, /setwebhook.`,
  bot: (bot: { name: string; username: string; state: string; webhook: string; lastEvent: string }) =>
    `${bot.name} (@${bot.username}) is ${bot.state}\n  webhook: ${bot.webhook}\n  last event: ${bot.lastEvent}`,
  none: 'none',
  unreadableUrl: 'an address that cannot be read; set it again',
  ago: (ms: number) => {
    const minutes = Math.floor(ms / 60_000);
    if (minutes < 1) return 'just now';
    if (minutes < 60) return `${minutes} min ago`;
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
  },
  expects: {
    name: 'I am waiting for the name of your bot, for example: Weather of Ada. /cancel ends this.',
    username: 'I am waiting for a username that ends with “bot”, for example weather_bot. /cancel ends this.',
    choice: 'I am waiting for one of your bots: its number in the list, or its username. /cancel ends this.',
    renewal: 'Answer 1 (yes) for a new key, or 2 (no). /cancel ends this.',
    description:
      'I am waiting for a description, for example: Tells you tomorrow’s weather. /cancel ends this.',
    commands: 'I am waiting for commands, for example: start - begin. /cancel ends this.',
    webhook: 'I am waiting for an address, for example https://hooks.example.com/parley. /cancel ends this.',
    'webhook-secret': `Answer with a number; /cancel ends this:\n${SECRET_CHOICES}`,
    done: 'Answer 1 (done) when you have kept the secret.',
  },
  conflict: 'Somebody was quicker: that username is taken now. Please send another one.',
  refused: (message: string) => `That was refused: ${message}.`,
};

function curl({ apiKey, url }: { apiKey: string; url: string }): string {
  return `curl ${url}/v1/me -H "Authorization: Bearer ${apiKey}"`;
}
