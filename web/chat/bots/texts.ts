import { defineTexts } from '../../ui/texts.ts';

export const botTexts = defineTexts(
  {
    title: 'Find a bot',
    lead: 'You can find a bot only by its exact username. Its owner can tell you.',
    username: 'Username',
    usernameHint: 'Ends with “bot”, for example weather_bot.',
    find: 'Find',
    notFound: (username: string) => `There is no bot called ${username}.`,
    forExample: 'This one helps you to create a bot of your own:',
    write: 'Write to it',
    bot: 'Bot',
  },
  {
    title: 'Bot finden',
    lead: 'Bots findet man nur über ihren genauen Benutzernamen. Ihr Betreiber kann ihn dir nennen.',
    username: 'Benutzername',
    usernameHint: 'Endet auf „bot“, zum Beispiel weather_bot.',
    find: 'Finden',
    notFound: (username) => `Einen Bot namens ${username} gibt es nicht.`,
    forExample: 'Dieser hilft dir, einen eigenen Bot anzulegen:',
    write: 'Schreiben',
    bot: 'Bot',
  },
);
