import { killOneOfThree } from './kill-one-of-three.ts';
import { seed } from './options.ts';
import { planOf } from './plans.ts';

const { kills } = planOf('killed-process', seed);

const { acknowledged, events, lost, unheard, clients, broken } = await killOneOfThree(kills);
if (lost > 0) throw new Error(`${lost} of ${acknowledged} acknowledged messages are lost`);
if (unheard > 0) throw new Error(`${unheard} of ${events} events were not delivered`);
console.log(
  `${kills.length} kills, each of one of 3 processes under load: ${acknowledged} acknowledged messages and ${events} events, none lost; ` +
    `of ${clients} connections, ${broken.join(', ')} broke at the kills, and nothing else failed.`,
);
