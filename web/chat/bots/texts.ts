import { defineTexts } from '../../ui/texts.ts';

export const botTexts = defineTexts(
  {
    title: 'Find by username',
    lead: 'Enter the exact username of a person or a bot. They, or the bot’s owner, can tell you.',
    username: 'Username',
    usernameHint: 'A bot’s username ends with “bot”, for example weather_bot.',
    find: 'Find',
    notFound: (username: string) =>
      username.endsWith('bot') ? `There is no bot called ${username}.` : `Nobody is called ${username} here.`,
    forExample: 'This one helps you to create a bot of your own:',
    write: 'Write to it',
    writeToPerson: 'Write a message',
    bot: 'Bot',
  },
  {
    title: 'Nach Benutzernamen finden',
    lead: 'Menschen und Bots findest du über ihren genauen Benutzernamen. Sie selbst, oder wer den Bot betreibt, können ihn dir nennen.',
    username: 'Benutzername',
    usernameHint: 'Der Benutzername eines Bots endet auf „bot“, zum Beispiel weather_bot.',
    find: 'Finden',
    notFound: (username) =>
      username.endsWith('bot')
        ? `Einen Bot namens ${username} gibt es nicht.`
        : `Hier heißt niemand ${username}.`,
    forExample: 'Dieser hilft dir, einen eigenen Bot anzulegen:',
    write: 'Schreiben',
    writeToPerson: 'Nachricht schreiben',
    bot: 'Bot',
  },
);
