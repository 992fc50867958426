import type { AnyMessage, IncomingGroupMessage, IncomingMessage } from './incoming.ts';
import { requireHandler } from './required.ts';

/** Passes the message to the handlers registered later; resolves when they have finished. */
export type NextFunction = () => Promise<void>;

/** Handles a message, or calls `next` to pass it on. Without that call, handling ends. */
export type Middleware<M> = (message: M, next: NextFunction) => unknown;

/** The events that `on` accepts, each with the context passed to its handlers. */
export interface MessageKinds<State extends object> {
  message: IncomingMessage<State>;
  groupMessage: IncomingGroupMessage<State>;
}

/** The rest of the text after a command. */
export interface CommandMatch {
  match: string;
}

/** The answer to a question. */
export interface Answer<Data = unknown> {
  /** The value of the button that was pressed, or its label if it has none; otherwise the text, empty for other types. */
  value: string;
  /** The `data` of the question. */
  data: Data;
}

/** An answer, and the name of its question. */
export interface FoundAnswer {
  name: string;
  answer: Answer;
}

/** An answer as the match. */
export interface AnswerMatch<Data> {
  match: Answer<Data>;
}

/** A text trigger: the whole text, or the match of the expression. */
export interface TextMatch<T extends string | RegExp> {
  match: T extends RegExp ? RegExpExecArray : string;
}

/** The parts of the bot that the handling of a message needs. */
export interface BotContext {
  /** Called for commands that name a bot, such as `/start@weather_bot`. */
  username(): Promise<string | undefined>;
  /** The question that the message answers, and the answer. */
  findAnswer(): Promise<FoundAnswer | undefined>;
}

type Step<State extends object> = (
  message: AnyMessage<State>,
  next: NextFunction,
  context: BotContext,
) => unknown;

const KINDS: readonly string[] = ['message', 'groupMessage'] satisfies (keyof MessageKinds<object>)[];
const COMMAND = /^[a-z0-9_]{1,32}$/;
const TYPED_COMMAND = /^\/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{1,32}))?(?:\s+([\s\S]*))?$/;

/**
 * Handlers in the order in which they were registered: a message goes to the first that matches, and on to the next if
 * that one calls `next`. A bot is a composer; a larger bot can be composed of several, each in a file of its own.
 *
 * @example
 * const admin = new Composer();
 * admin.command('stats', (message) => message.reply('All is well.'));
 * bot.use(admin);
 */
export class Composer<State extends object = Record<string, unknown>> {
  readonly #steps: Step<State>[] = [];

  /** Whether it has no handler. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /**
   * Adds middleware for every message, or all handlers of another composer.
   *
   * @example
   * bot.use(async (message, next) => {
   *   const startedAt = performance.now();
   *   await next();
   *   console.log(message.msgId, performance.now() - startedAt);
   * });
   */
  use(...middleware: (Middleware<AnyMessage<State>> | Composer<State>)[]): this {
    for (const one of middleware) {
      if (!(one instanceof Composer)) requireHandler(one);
      this.#steps.push(
        one instanceof Composer
          ? (message, next, context) => one.handle(message, context, next)
          : (message, next) => one(message, next),
      );
    }
    return this;
  }

  /**
   * Handles private messages (`message`) or those in groups (`groupMessage`).
   *
   * @throws TypeError for anything else, since nothing else is delivered
   * @example
   * bot.on('message', (message) => message.reply('Hello!'));
   * bot.on('groupMessage', async (message) => {
   *   if (message.isMentioned) await message.reply('At your service.');
   * });
   */
  on<K extends 'message' | 'groupMessage'>(
    kind: K,
    ...middleware: Middleware<MessageKinds<State>[K]>[]
  ): this {
    if (!KINDS.includes(kind))
      throw new TypeError(
        `there is no event ${kind}: on() takes ${KINDS.join(' and ')}; the events that you chose go to onEvent()`,
      );
    return this.#filter((message) => {
      const isOfKind = kind === ('groupId' in message ? 'groupMessage' : 'message');
      return isOfKind ? (message as MessageKinds<State>[K]) : undefined;
    }, middleware);
  }

  /**
   * Handles a command such as `/start`, also with the bot's username, as in `/start@weather_bot`. The words after it are
   * the `match`.
   *
   * @throws TypeError for a name that no command can have
   * @example
   * bot.command('weather', (message) => message.reply(`Sunny in ${message.match || 'Bern'}.`));
   */
  command(
    name: string | readonly string[],
    ...middleware: Middleware<AnyMessage<State> & CommandMatch>[]
  ): this {
    const names = [name].flat();
    const bad = names.find((one) => !COMMAND.test(one));
    if (bad !== undefined)
      throw new TypeError(`a command can only have lowercase letters, digits and _, at most 32: ${bad}`);
    return this.#filter(async (message, { username }) => {
      const [, typed = '', of, match = ''] = TYPED_COMMAND.exec(message.textMsg) ?? [];
      if (!names.includes(typed)) return undefined;
      if (of !== undefined && of.toLowerCase() !== (await username())) return undefined;
      return { ...message, match };
    }, middleware);
  }

  /**
   * Handles text that equals a string or matches a regular expression (the `match`). The caption is the text of an image, a
   * video or a document.
   *
   * @example
   * bot.hears(/^remind me in (\d+) minutes$/, (message) => message.reply(`In ${message.match[1]} minutes.`));
   */
  hears<T extends string | RegExp>(
    trigger: T | readonly T[],
    ...middleware: Middleware<AnyMessage<State> & TextMatch<T>>[]
  ): this {
    const triggers = [trigger].flat() as T[];
    return this.#filter((message) => {
      const text = message.textMsg || (message.caption ?? '');
      for (const one of triggers) {
        const match = typeof one === 'string' ? (one === text ? text : null) : findIn(one, text);
        if (match !== null) return { ...message, match } as AnyMessage<State> & TextMatch<T>;
      }
      return undefined;
    }, middleware);
  }

  /**
   * Handles the answers to the questions that `bot.ask()` asked under this name; the `match` has the answer and the `data` of the
   * question.
   *
   * @example
   * bot.onAnswer('dish', (message) => message.reply(`One ${message.match.value}.`));
   */
  onAnswer<Data = unknown>(
    name: string,
    ...middleware: Middleware<AnyMessage<State> & AnswerMatch<Data>>[]
  ): this {
    return this.#filter(async (message, { findAnswer }) => {
      const found = await findAnswer();
      if (found?.name !== name) return undefined;
      return { ...message, match: found.answer as Answer<Data> };
    }, middleware);
  }

  /** Passes a message through the handlers; `next` is called after the last one. */
  async handle(
    message: AnyMessage<State>,
    context: BotContext,
    next: NextFunction = async () => {},
  ): Promise<void> {
    const steps = this.#steps.map(
      (step) => (_: unknown, following: NextFunction) => step(message, following, context),
    );
    await runAll(steps, message, next);
  }

  #filter<M extends AnyMessage<State>>(
    accept: (message: AnyMessage<State>, context: BotContext) => Promise<M | undefined> | M | undefined,
    middleware: Middleware<M>[],
  ): this {
    middleware.forEach(requireHandler);
    this.#steps.push(async (message, next, context) => {
      const accepted = await accept(message, context);
      await (accepted ? runAll(middleware, accepted, next) : next());
    });
    return this;
  }
}

/** `next` is called after the last one. */
async function runAll<M>(handlers: Middleware<M>[], message: M, next: NextFunction, from = 0): Promise<void> {
  const handle = handlers[from];
  await (handle
    ? handle(
        message,
        once(() => runAll(handlers, message, next, from + 1)),
      )
    : next());
}

function findIn(expression: RegExp, text: string): RegExpExecArray | null {
  // An expression with `g` or `y` would continue from its position in the previous text.
  expression.lastIndex = 0;
  return expression.exec(text);
}

/** Throws on a second call, which would handle the message twice. */
function once(next: NextFunction): NextFunction {
  let isCalled = false;
  return async () => {
    if (isCalled) throw new Error('next() was called twice');
    isCalled = true;
    await next();
  };
}
