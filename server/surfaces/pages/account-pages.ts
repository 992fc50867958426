import type { SignUpRules } from '#contract/accounts.ts';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import type { Translate } from '#contract/texts.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { withReturnTo } from './return-to.ts';

export type FieldName = 'name' | 'email' | 'password' | 'code';

/** An error in a form, in words for the person; without `field` it concerns the whole form. */
export interface FormFault {
  field?: FieldName;
  message: string;
}

/** A form as it is shown again: the input without passwords, and the error. */
export interface AccountForm {
  returnTo: string;
  typed: { name?: string | undefined; email?: string | undefined };
  fault?: FormFault | undefined;
  /** The token from an invitation link. */
  invitation?: string | undefined;
}

const AUTHORIZE = '/oauth/authorize';

export function signInPage(t: Translate, form: AccountForm): Page {
  const { typed, returnTo, fault } = form;
  const focus = fault?.field ?? (fault ? 'password' : 'email');
  return {
    title: fault ? t('pages.account.notSignedIn') : t('pages.account.signIn'),
    content: html`${heading(t, t('pages.account.signIn'), returnTo)}
${alert(fault)}
<form method="post" action="/sign-in">
<input type="hidden" name="returnTo" value="${returnTo}">
${emailField(t, typed.email, fault, focus)}
${field({ name: 'password', label: t('pages.account.password'), type: 'password', autocomplete: 'current-password', fault, focus })}
<button>${t('pages.account.signIn')}</button>
</form>
<p class="rule">${t('pages.account.newHere')} <a href="${withReturnTo('/sign-up', returnTo)}">${t('pages.account.createAnAccount')}</a></p>`,
  };
}

/** The second step of two-factor sign-in; the ticket proves that the password was right. */
export function codePage(
  t: Translate,
  { returnTo, ticket, fault }: Pick<AccountForm, 'returnTo' | 'fault'> & { ticket: string },
): Page {
  return {
    title: fault ? t('pages.account.notSignedIn') : t('pages.account.enterACode'),
    content: html`${heading(t, t('pages.account.enterACode'), returnTo)}
${alert(fault)}
<form method="post" action="/sign-in/code">
<input type="hidden" name="returnTo" value="${returnTo}">
<input type="hidden" name="ticket" value="${ticket}">
${field({ name: 'code', label: t('pages.account.code'), hint: t('pages.account.codeHint'), autocomplete: 'one-time-code', fault, focus: 'code' })}
<button>${t('pages.account.signIn')}</button>
</form>
<p class="rule"><a href="${withReturnTo('/sign-in', returnTo)}">${t('pages.account.beginAgain')}</a></p>`,
  };
}

/** Explains the rules for new accounts, and whether they close the form. */
function explainRules(
  t: Translate,
  { policy, domains = [] }: SignUpRules,
  invitation: string | undefined,
): { rule?: string; isClosed?: true } {
  switch (policy) {
    case 'open':
      return {};
    case 'closed':
      return { rule: t('pages.account.signUpClosed'), isClosed: true };
    case 'invitation':
      return invitation ? {} : { rule: t('pages.account.signUpByInvitation'), isClosed: true };
    case 'domains':
      return { rule: t('pages.account.signUpByDomain', { domains: domains.join(', ') }) };
    default:
      return policy satisfies never;
  }
}

/** The account has been created; its address must be confirmed before the first sign-in. */
export function checkMailPage(t: Translate, { email, returnTo }: { email: string; returnTo: string }): Page {
  return {
    title: t('pages.account.checkMail'),
    content: html`<div class="heading"><h1>${t('pages.account.checkMail')}</h1>
<p>${t('pages.account.checkMailDetail', { email })}</p></div>
<p class="rule"><a href="${withReturnTo('/sign-in', returnTo)}">${t('pages.account.signIn')}</a></p>`,
  };
}

export function signUpPage(t: Translate, form: AccountForm, rules: SignUpRules): Page {
  const { typed, returnTo, fault, invitation } = form;
  const focus = fault?.field ?? 'name';
  const { rule, isClosed } = explainRules(t, rules, invitation);
  const signIn = html`<p class="rule">${t('pages.account.haveAnAccount')} <a href="${withReturnTo('/sign-in', returnTo)}">${t('pages.account.signIn')}</a></p>`;
  if (isClosed)
    return {
      title: t('pages.account.createAnAccount'),
      content: html`${heading(t, t('pages.account.createAnAccount'), returnTo)}
<p>${rule}</p>
${signIn}`,
    };
  return {
    title: fault ? t('pages.account.accountNotCreated') : t('pages.account.createAnAccount'),
    content: html`${heading(t, t('pages.account.createAnAccount'), returnTo)}
${rule !== undefined && html`<p class="muted">${rule}</p>`}
${alert(fault)}
<form method="post" action="/sign-up">
<input type="hidden" name="returnTo" value="${returnTo}">
${invitation !== undefined && html`<input type="hidden" name="invitation" value="${invitation}">`}
${field({ name: 'name', label: t('pages.account.name'), hint: t('pages.account.nameHint'), value: typed.name, autocomplete: 'name', fault, focus })}
${emailField(t, typed.email, fault, focus)}
${field({ name: 'password', label: t('pages.account.password'), hint: t('pages.account.passwordHint', { min: PASSWORD_LENGTH.min, max: PASSWORD_LENGTH.max }), type: 'password', autocomplete: 'new-password', fault, focus })}
${
  rules.termsUrl !== undefined &&
  html`<p><label><input type="checkbox" name="acceptedTerms" value="${rules.termsUrl}" required> ${t('pages.account.acceptTerms')}</label>
(<a href="${rules.termsUrl}" target="_blank" rel="noopener">${rules.termsUrl}</a>)</p>`
}
<button>${t('pages.account.createAccount')}</button>
</form>
${signIn}`,
  };
}

function heading(t: Translate, text: string, returnTo: string): Html {
  const isOnTheWay = returnTo.startsWith(AUTHORIZE);
  return html`<div class="heading"><h1>${text}</h1>
${isOnTheWay && html`<p class="muted">${t('pages.account.thenYouDecide')}</p>`}</div>`;
}

/** An error of the form as a whole; errors of fields are shown beside the fields. */
function alert(fault: FormFault | undefined): Html | undefined {
  return fault && !fault.field
    ? html`<p class="alert" role="alert" id="fault">${fault.message}</p>`
    : undefined;
}

interface Field {
  name: FieldName;
  label: string;
  autocomplete: string;
  fault: FormFault | undefined;
  focus: FieldName;
  type?: 'password';
  inputmode?: 'email';
  hint?: string;
  value?: string | undefined;
}

/** No `type="email"`: browsers would rewrite or reject addresses that the JSON sign-up accepts. */
function emailField(
  t: Translate,
  value: string | undefined,
  fault: FormFault | undefined,
  focus: FieldName,
): Html {
  return field({
    name: 'email',
    label: t('pages.account.email'),
    value,
    autocomplete: 'username',
    inputmode: 'email',
    fault,
    focus,
  });
}

/** No `maxlength`: it would silently truncate a pasted password. */
function field({ name, label, autocomplete, fault, focus, type, inputmode, hint, value }: Field): Html {
  const isFaulty = fault?.field === name;
  const isFocused = focus === name;
  const descriptions = [
    hint && `${name}-hint`,
    isFaulty && `${name}-fault`,
    isFocused && fault && !fault.field && 'fault',
  ].filter((id) => typeof id === 'string' && id !== '');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="muted small" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type ?? 'text'}" autocomplete="${autocomplete}" required${
    inputmode && html` inputmode="${inputmode}" autocapitalize="none" spellcheck="false"`
  }${value !== undefined && html` value="${value}"`}${
    descriptions.length > 0 && html` aria-describedby="${descriptions.join(' ')}"`
  }${isFaulty && html` aria-invalid="true"`}${isFocused && html` autofocus`}>
${isFaulty && html`<p class="fault" id="${name}-fault">${fault.message}</p>`}
</div>`;
}
