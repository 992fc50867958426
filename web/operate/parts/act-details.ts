import { PERSON_LIMITS, type PersonLimit } from '#contract/accounts/person-limits.ts';
import { LANGUAGES, type Language } from '#contract/languages.ts';
import type { ActDetail, ActDetails, OperatorAct } from '#contract/operate/acts.ts';
import type { Translate } from '#contract/texts.ts';
import type { TrailEntry } from '../../ui/parts/trail.tsx';
import { formatNumber } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';

type Given = Exclude<ActDetails[ActDetail], object>;

const isLimit = (name: string): name is PersonLimit => (PERSON_LIMITS as readonly string[]).includes(name);

/** The details of an act, each by its name and as people read it. */
export function describeDetails(t: Translate, { subject, details }: OperatorAct): TrailEntry['details'] {
  const given = Object.entries(details).filter(([, value]) => value !== '');
  const shown = given.map(([key, value]) => {
    const name = key as ActDetail;
    const say = (one: Given) => sayValue(t, name, one);
    return {
      name: nameOf(t, name),
      value:
        typeof value === 'object'
          ? t('ui.common.fromTo', { from: say(value.from), to: say(value.to) })
          : say(value),
    };
  });
  const isConversation = /^(prv|grp)/.test(subject);
  return isConversation ? [{ name: t('operate.policy.conversation'), value: subject }, ...shown] : shown;
}

/** Limits, and the settings of providers, have their names from their own screens. */
function nameOf(t: Translate, name: string): string {
  if (name in LANGUAGES) return t('operate.announcement.text', { language: LANGUAGES[name as Language] });
  return (
    t.find(`operate.actDetail.${name}`) ??
    t.find(`operate.limitOfPeople.${name}`) ??
    t.find(`operate.provider.${name}`) ??
    name
  );
}

function sayValue(t: Translate, name: ActDetail, value: Given): string {
  switch (name) {
    case 'until':
    case 'expiresAt':
      return fullTime(Number(value));
    case 'decision':
      return t.find(`operate.reportDecision.${value}`) ?? String(value);
    case 'changed':
      return String(value)
        .split(', ')
        .map((one) => nameOf(t, one))
        .join(', ');
    case 'clientSecret':
      return t('operate.act.replaced');
    case 'domains':
      return value ? String(value) : t('operate.act.all');
    case 'line':
    case 'createsAccounts':
    case 'findsByEmail':
    case 'needsSecondFactor':
    case 'passwordsOff':
      // Older entries say it in a word.
      return value === true || value === 'true' || value === 'yes'
        ? t('operate.people.on')
        : t('operate.people.off');
  }
  if (typeof value === 'number') return formatNumber(value);
  if (isLimit(name)) return t('operate.act.asForEverybody');
  return value === undefined || value === '' ? t('operate.act.unset') : String(value);
}
