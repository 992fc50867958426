/** The paths of the chat's page, which routes what follows. */
export const CHAT_PATHS = [
  '/',
  '/c/*',
  '/new/*',
  '/search',
  '/stories/*',
  '/settings',
  '/settings/*',
  '/i/*',
  '/join',
];
