import { killOneOfThree } from './kill-one-of-three.ts';

const ROUNDS = 5;

const { acknowledged, events, lost, unheard, clients, broken } = await killOneOfThree(ROUNDS);
if (lost > 0) throw new Error(`${lost} of ${acknowledged} acknowledged messages are lost`);
if (unheard > 0) throw new Error(`${unheard} of ${events} events were not delivered`);
console.log(
  `${ROUNDS} kills, each of one of 3 processes under load: ${acknowledged} acknowledged messages and ${events} events, none lost; ` +
    `of ${clients} connections, ${broken.join(', ')} broke at the kills, and nothing else failed.`,
);
