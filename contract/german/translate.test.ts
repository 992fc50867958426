import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ESTree, parseSync, Visitor } from 'vite';
import { LIMITS } from '#contract/limits.ts';
import { applicationHasNoBot, unavailable } from '#platform/errors.ts';
import { UnreadableError } from '#platform/keyring.ts';
import { FAILURES, timeoutMessage } from '#platform/safe-fetch/failure.ts';
import { URL_FAULTS } from '#platform/safe-fetch/url.ts';
import { FAULTS } from './faults.ts';
import { FINDINGS } from './findings.ts';
import { REFUSALS } from './refusals.ts';
import { toGerman } from './translate.ts';

/** In which argument each says what is wrong. */
const REFUSERS: Record<string, number> = {
  ApiError: 2,
  invalidArgument: 1,
  failedPrecondition: 0,
  unauthenticated: 0,
  permissionDenied: 0,
  notFound: 0,
  alreadyExists: 0,
  resourceExhausted: 0,
  rateLimitExceeded: 0,
  unavailable: 0,
};

/** No page calls these. */
const WITHOUT_PAGES =
  /^server\/(platform\/errors|surfaces\/(v1|admission|health|metrics|openapi\/[\w-]+)|features\/(applications\/quota|webhooks\/feed\/(v1|event-feed)))\.ts$/;

/** Every sentence in these is shown on a page. */
const SPOKEN = [
  'server/features/webhooks/{log/attempt-log,breakers/fail-overdue,tools/endpoint-audit,tools/signature-check,tools/signature-header}.ts',
  'server/features/webhooks/alerts/{contacts,confirmation,chat-post,mailer,send-notices}.ts',
  'server/features/oauth/{authorize,consent}.ts',
  'server/features/applications/rules.ts',
];

/** For receivers and for the log. */
const SHOWN_ELSEWHERE = [
  'This message is part of an audit of your webhook.',
  'an alert could not be sent',
  'E-mails, by what became of them.',
  'RCPT TO',
];

/** Messages that are not made where they are thrown: they are in the lists above, or are not ours. */
const MADE_ELSEWHERE = [
  'URL_FAULTS[judged.fault]',
  'refusal',
  'readScopes(scope)',
  '[...OAUTH_SCOPES]',
  'judgeRedirectUri(uri)',
  'fault.message',
  'error.message',
];

type Node = ESTree.Node;

/** A file's texts, with a sample in the place of each value. */
function createReader(text: string, program: ESTree.Program) {
  const constants = new Map<string, Node[]>();
  const returns = new Map<string, Node[]>();
  let inside = '';
  new Visitor({
    FunctionDeclaration: ({ id }) => {
      inside = id?.name ?? '';
    },
    ReturnStatement: ({ argument }) => {
      if (argument) returns.set(inside, [...(returns.get(inside) ?? []), argument]);
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) constants.set(id.name, [...(constants.get(id.name) ?? []), init]);
    },
  }).visit(program);
  const read = (node: Node): string[] => {
    switch (node.type) {
      case 'Literal':
        return [String(node.value)];
      case 'TemplateLiteral':
        return [node.quasis.map(({ value }) => value.cooked).join('7')];
      case 'ConditionalExpression':
        return [...read(node.consequent), ...read(node.alternate)];
      case 'LogicalExpression':
        return [...read(node.left), ...read(node.right)];
      case 'Identifier':
        return constants.get(node.name)?.flatMap(read) ?? unknown(node);
      case 'CallExpression':
        return (
          (node.callee.type === 'Identifier' && returns.get(node.callee.name)?.flatMap(read)) || unknown(node)
        );
      default:
        return unknown(node);
    }
  };
  const unknown = ({ start, end }: Node) => [`${UNKNOWN}${text.slice(start, end)}`];
  return read;
}

const UNKNOWN = 'unknown: ';

function parse(file: string) {
  const text = readFileSync(file, 'utf8');
  const { program } = parseSync(file, text);
  return { program, read: createReader(text, program) };
}

/** The message of each refusal in a file, with its place. */
function readRefusals(file: string): string[] {
  const { program, read } = parse(file);
  const said: string[] = [];
  const note = ({ callee, arguments: given }: ESTree.CallExpression | ESTree.NewExpression) => {
    const place = callee.type === 'Identifier' ? REFUSERS[callee.name] : undefined;
    const message = place === undefined ? refusalIn(given[1]) : given[place];
    if (!message) return;
    const field = place === 1 && given[0]?.type === 'Literal' ? `${given[0].value}` : 'field';
    for (const one of read(message))
      said.push(place === 1 && !one.startsWith(UNKNOWN) ? `${field} ${one}` : one);
  };
  new Visitor({ CallExpression: note, NewExpression: note }).visit(program);
  return said;
}

/** Texts that rate limits are created with. */
function refusalIn(options: Node | undefined): Node | undefined {
  if (options?.type !== 'ObjectExpression') return undefined;
  const refusal = options.properties.find(
    (property) =>
      property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'refusal',
  );
  return refusal?.type === 'Property' ? refusal.value : undefined;
}

/** All texts of several words in a file; those without a verb are parts of others. */
function readSentences(file: string): string[] {
  const { program, read } = parse(file);
  const said: string[] = [];
  const note = (node: ESTree.StringLiteral | ESTree.TemplateLiteral) => said.push(...read(node));
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string') note(node as ESTree.StringLiteral);
    },
    TemplateLiteral: note,
  }).visit(program);
  return said.filter((text) => /\p{L} \p{L}/u.test(text));
}

const refusals = [
  ...[unavailable(), applicationHasNoBot(), new UnreadableError({ table: '', rowId: '' }, 1, '')].map(
    ({ message }) => ({ file: 'errors.ts', said: message }),
  ),
  ...globSync('server/{features,surfaces,platform}/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts') && !WITHOUT_PAGES.test(file))
    .flatMap((file) => readRefusals(file).map((said) => ({ file, said }))),
];

const PHASES = ['dns', 'connect', 'tls', 'firstByte', 'body'] as const;

/** The part of a timeout message that is not about the timeout. */
function whereOf(message: string): string {
  return message.slice(FAILURES.timeout.length + 1);
}

const spoken = [
  ...Object.values(FAILURES).map((said) => ({ file: 'failure.ts', said })),
  ...PHASES.map((phase) => ({ file: 'failure.ts', said: timeoutMessage(phase) })),
  ...PHASES.map((phase) => ({ file: 'failure.ts', said: whereOf(timeoutMessage(phase)) })),
  ...Object.values(URL_FAULTS).map((said) => ({ file: 'url.ts', said })),
  ...SPOKEN.flatMap((pattern) => globSync(pattern)).flatMap((file) =>
    readSentences(file).map((said) => ({ file, said })),
  ),
].filter(({ said }) => !SHOWN_ELSEWHERE.includes(said));

test('there is German for every refusal that a page can meet', () => {
  assert.ok(refusals.length > 150, 'the refusals are found');
  const missing = refusals.filter(({ said }) =>
    said.startsWith(UNKNOWN)
      ? !MADE_ELSEWHERE.includes(said.slice(UNKNOWN.length))
      : toGerman(said) === undefined,
  );
  assert.deepEqual(missing, []);
});

test('there is German for everything that the server finds out about receivers, signatures and addresses', () => {
  assert.ok(spoken.length > 90, 'the sentences are found');
  const missing = spoken.filter(({ said }) => (toGerman(said) ?? toGerman(`field ${said}`)) === undefined);
  assert.deepEqual(missing, []);
});

test('no sentence is left over from what is said no more', () => {
  const left = Object.keys({ ...REFUSALS, ...FAULTS, ...FINDINGS }).filter((english) => {
    const parts = english.split(/\{\w+\}/);
    return ![...refusals, ...spoken].some(({ said }) => parts.every((part) => said.includes(part)));
  });
  assert.deepEqual(left, []);
});

test('values stay what they are, fields and states get their names, and what nobody said stays untold', () => {
  for (const [english, german] of [
    ['name must have at most 64 characters', 'Name: darf höchstens 64 Zeichen haben'],
    ['commands.0.description is required', 'Befehle 1 Beschreibung: fehlt'],
    ['commands must not hold "{field}" twice', 'Befehle: darf „{field}“ nicht zweimal enthalten'],
    ['groupId names no group', 'Diese Gruppe gibt es nicht'],
    [
      'the application is disabled, and no webhook is sent',
      'Die Anwendung ist abgeschaltet; kein Webhook wird gesendet',
    ],
    [
      'too many wrong attempts; try again in 42 s',
      'Zu viele falsche Versuche; in 42 s noch einmal versuchen',
    ],
    [`webhookUrl ${URL_FAULTS.scheme}`, 'Webhook-Adresse: muss mit https:// beginnen'],
    [
      `description must have at most ${LIMITS.botDescriptionLength} characters`,
      'Beschreibung: darf höchstens 512 Zeichen haben',
    ],
    [
      'The receiver answered 404: nothing is served at the path of the webhook URL; check it.',
      'Der Empfänger antwortete 404: am Pfad der Webhook-Adresse ist nichts; Adresse prüfen.',
    ],
  ] as const) {
    assert.equal(toGerman(english), german);
  }
  for (const foreign of ['', 'Bad Gateway', 'constructor is here', '__proto__'])
    assert.equal(toGerman(foreign), undefined);
});
