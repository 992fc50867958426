import { LIMITS } from '#contract/limits.ts';

const SECRET_CHOICES =
  '1. Yes, and the old one stops working at once\n2. No, keep the current one\n3. Yes, and the old one also signs webhook-signature for 24 hours (Standard Webhooks, SDK)';

/** Everything that the management bot says. Plain text: clients make its /commands clickable. */
export const TEXTS = {
  name: 'Bot Manager',
  description: 'Creates and manages your bots: new bots, API keys, descriptions, commands and webhooks.',
  commands: {
    newbot: 'create a bot',
    mybots: 'list your bots',
    token: 'create a new API key; the old one stops working at once',
    setdescription: 'set the description of a bot',
    setcommands: 'set the commands of a bot',
    setwebhook: 'set the URL that gets the messages of a bot',
    cancel: 'cancel the current dialog',
    help: 'show what I can do',
  },

  start:
    'Hello! I create and manage bots. Send /newbot to create your first one, or /help to see everything I can do.',
  help: (lines: string) =>
    `This is what I can do:\n${lines}\n\nYou can name the bot in the same message: /setdescription my_bot. When I show a list, answer with a number.`,
  unknown:
    'I did not understand that. Send /newbot to create a bot, /mybots to see yours, or /help for everything.',
  unknownCommand: (command: string) =>
    `I do not know the command /${command}. Send /help to see what I can do.`,
  onlyText: 'I can only read text.',
  cancelled: 'Cancelled. Send /help to see what I can do.',
  nothingToCancel: 'There is nothing to cancel. Send /help to see what I can do.',
  tooFast: 'You are sending messages too fast. Wait a minute: I do not answer what you send until then.',
  failed: 'Something went wrong on our side, so nothing was done or shown. Please try again.',
  confirmFirst: (consoleUrl: string) =>
    `You can change keys, secrets and webhooks only within 10 minutes of a sign-in, so that nobody else can do it on a device that you left open. Sign in again, or confirm your identity in the console (${consoleUrl}), in this browser. Then send me the same message again.`,
  tooManySecrets: (limit: number, what: string, minutes: number) =>
    `That is more than ${limit} ${what} in an hour. Try again in ${minutes} min.`,
  tooManyApplications: (consoleUrl: string) =>
    `You have ${LIMITS.applicationsPerAccount} applications, which is the limit. Delete one in the console first: ${consoleUrl}`,

  noBots: 'You have no bot yet. Send /newbot to create one.',
  notYours: (name: string) => `None of your bots is called “${name}”.`,
  which: (list: string) => `Which bot? Answer with a number or its username:\n${list}`,
  botGone: 'That bot no longer exists. Send /mybots to see yours.',

  askName: `What should your bot be called? People see this name, for example: Ada’s Weather. At most ${LIMITS.applicationNameLength} characters.`,
  nameTooLong: (length: number) =>
    `That name has ${length} characters; at most ${LIMITS.applicationNameLength} are allowed. Please send a shorter one.`,
  askUsername: (suggestions: string) =>
    `Good. Now send a username, by which people find the bot: ${LIMITS.botUsernameMinLength} to ${LIMITS.botUsernameMaxLength} lowercase letters, digits and _, ending in “bot”.${suggestions}`,
  suggestions: (list: string) => `\nThese are available; answer with a number to choose one:\n${list}`,
  usernameTaken: (username: string) => `@${username} is taken.`,
  usernameLength: (length: number) =>
    `That username has ${length} characters; it must have ${LIMITS.botUsernameMinLength} to ${LIMITS.botUsernameMaxLength}, for example weather_bot.`,
  usernameCharacters: 'A username can only have lowercase letters, digits and _, for example weather_bot.',
  usernameEnd: 'A username must end in “bot”, for example weather_bot.',
  usernameImpostor: (serviceName: string) =>
    `A username must not contain “${serviceName}”, the name of this service. Please choose another one, for example weather_bot.`,
  made: (bot: { name: string; username: string; apiKey: string; url: string }) =>
    `Done! ${bot.name} (@${bot.username}) has been created. This is its API key:\n\n${bot.apiKey}\n\nStore it where nobody else can see it. I delete this message in 10 minutes, or when you answer 1 (done); the key cannot be shown again.\n\nTry it:\n${curl(bot)}\n\nNext: write to @${bot.username} yourself (bots cannot write first), then /setdescription, /setcommands, and /setwebhook to receive messages.`,

  askRenew: (username: string) =>
    `A new API key for @${username}? The current one stops working at once.\n1. Yes, create a new key\n2. No, keep the current one`,
  kept: 'The key stays as it is.',
  renewed: (bot: { username: string; apiKey: string; url: string }) =>
    `The old key of @${bot.username} no longer works. This is the new one:\n\n${bot.apiKey}\n\nI delete this message in 10 minutes, or when you answer 1 (done); the key cannot be shown again.\n\nTry it:\n${curl(bot)}`,
  asleep: (state: string) =>
    `\n\nIts application is ${state}: until that changes, every call is refused, even with this key.`,
  askDone: 'Have you stored it? Answer 1 (done), and I delete it from our chat.',
  removed: 'Deleted from our chat. Send /mybots to see your bots.',
  nothingToRemove: 'There is no key or secret left in our chat. Send /help to see what I can do.',
  secretNotice:
    'This message contained a secret, shown only once, and was deleted. Send /token for a new API key.',

  askDescription: (username: string, current: string) =>
    `What should the description of @${username} be? At most ${LIMITS.botDescriptionLength} characters, for example: Tells you tomorrow's weather. Send “empty” for none.${current && `\n\nThe current one is: ${current}`}`,
  descriptionTooLong: (length: number) =>
    `That has ${length} characters; at most ${LIMITS.botDescriptionLength} are allowed. Please send a shorter description.`,
  described: (username: string) => `People who look at @${username} now see this description.`,
  undescribed: (username: string) => `@${username} no longer has a description.`,

  askCommands: (username: string, current: string) =>
    `Which commands does @${username} have? Send all of them, one per line, for example:\nstart - begin\ntoday - today’s weather\n\nAt most ${LIMITS.botCommands}. Send “empty” for none.${current && `\n\nThe current ones are:\n${current}`}`,
  commandsFaulty: (faults: string) =>
    `Nothing was changed. Please correct these lines and send the whole list again:\n${faults}`,
  lineForm: 'is not of the form “name - description”',
  lineName: 'the name can only have lowercase letters, digits and _',
  lineNameLength: (length: number) =>
    `the name has ${length} characters; at most ${LIMITS.botCommandNameLength} are allowed`,
  lineDescriptionLength: (length: number) =>
    `the description has ${length} characters; at most ${LIMITS.botCommandDescriptionLength} are allowed`,
  lineTwice: 'this command is listed twice',
  moreFaults: (count: number) => `and ${count} more`,
  tooManyCommands: (count: number) =>
    `Those are ${count} commands; a bot can have at most ${LIMITS.botCommands}. Please send fewer.`,
  commanded: (username: string, count: number, changes: string) =>
    `@${username} now has ${count === 1 ? 'one command' : `${count} commands`}; people find them by typing / in its chat.\n\n${changes}`,
  commandsAdded: (names: string) => `Added: ${names}`,
  commandsChanged: (names: string) => `New description: ${names}`,
  commandsRemoved: (names: string) => `Removed: ${names}`,
  commandsKept: (names: string) => `Unchanged: ${names}`,
  commandsLowered: (names: string) => `Changed to lowercase: ${names}`,
  uncommanded: (username: string) => `@${username} no longer has any commands.`,

  askWebhook: (username: string, current: string | undefined) =>
    `Where should messages to @${username} be sent? Send a public https address, for example https://hooks.example.com/parley.${current === undefined ? '' : `\n\nThe current one is ${current}\n1. Keep it\n2. Remove it`}`,
  notUrl:
    'That is not an address. An address begins with https://, for example https://hooks.example.com/parley.',
  badUrl: (fault: string) => `That address cannot be used: ${fault}.`,
  webhookSet: (username: string, consoleUrl: string) =>
    `From now on, messages to @${username} are sent there, signed. Do you need a new signing secret? I show it only once; you can also create one in the console: ${consoleUrl}\n${SECRET_CHOICES}`,
  askSecret: `Answer with a number:\n${SECRET_CHOICES}`,
  webhookKept: 'The webhook stays as it is.',
  webhookRemoved: (username: string) =>
    `@${username} no longer has a webhook. Its messages can be fetched with GET /v1/events.`,
  noWebhook: (username: string) => `@${username} has no webhook, so there is nothing to remove.`,
  webhookSecret: (username: string, secret: string, overlapHours: number | undefined) =>
    `The new webhook secret of @${username}:\n\n${secret}\n\nIt signs from the next event on. ${overlapHours === undefined ? 'The old one no longer signs anything.' : `The old one also signs webhook-signature for ${overlapHours} hours.`} I delete this message in 10 minutes, or when you answer 1 (done).`,

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
    name: 'I am waiting for the name of your bot, for example: Ada’s Weather. /cancel ends this.',
    username: 'I am waiting for a username that ends in “bot”, for example weather_bot. /cancel ends this.',
    choice: 'I am waiting for one of your bots: its number in the list, or its username. /cancel ends this.',
    renewal: 'Answer 1 (yes) for a new key, or 2 (no). /cancel ends this.',
    description:
      'I am waiting for a description, for example: Tells you tomorrow’s weather. /cancel ends this.',
    commands: 'I am waiting for commands, for example: start - begin. /cancel ends this.',
    webhook: 'I am waiting for an address, for example https://hooks.example.com/parley. /cancel ends this.',
    'webhook-secret': `Answer with a number; /cancel ends this:\n${SECRET_CHOICES}`,
    done: 'Answer 1 (done) when you have stored the secret.',
  },
  conflict: 'Somebody else has just taken that username. Please send another one.',
  refused: (message: string) => `That was refused: ${message}.`,
};

function curl({ apiKey, url }: { apiKey: string; url: string }): string {
  return `curl ${url}/v1/me -H "Authorization: Bearer ${apiKey}"`;
}
