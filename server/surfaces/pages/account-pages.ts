import type { SignUpRules } from '#contract/accounts.ts';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { withReturnTo } from './return-to.ts';
import type { PageTexts } from './texts/en.ts';

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

export function signInPage(t: PageTexts, form: AccountForm): Page {
  const { typed, returnTo, fault } = form;
  const focus = fault?.field ?? (fault ? 'password' : 'email');
  return {
    title: fault ? t.notSignedIn : t.signIn,
    content: html`${heading(t, t.signIn, returnTo)}
${alert(fault)}
<form method="post" action="/sign-in">
<input type="hidden" name="returnTo" value="${returnTo}">
${emailField(t, typed.email, fault, focus)}
${field({ name: 'password', label: t.password, type: 'password', autocomplete: 'current-password', fault, focus })}
<button>${t.signIn}</button>
</form>
<p class="rule">${t.newHere} <a href="${withReturnTo('/sign-up', returnTo)}">${t.createAnAccount}</a></p>`,
  };
}

/** The second step of two-factor sign-in; the ticket proves that the password was right. */
export function codePage(
  t: PageTexts,
  { returnTo, ticket, fault }: Pick<AccountForm, 'returnTo' | 'fault'> & { ticket: string },
): Page {
  return {
    title: fault ? t.notSignedIn : t.enterACode,
    content: html`${heading(t, t.enterACode, returnTo)}
${alert(fault)}
<form method="post" action="/sign-in/code">
<input type="hidden" name="returnTo" value="${returnTo}">
<input type="hidden" name="ticket" value="${ticket}">
${field({ name: 'code', label: t.code, hint: t.codeHint, autocomplete: 'one-time-code', fault, focus: 'code' })}
<button>${t.signIn}</button>
</form>
<p class="rule"><a href="${withReturnTo('/sign-in', returnTo)}">${t.beginAgain}</a></p>`,
  };
}

/** Explains the rules for new accounts, and whether they close the form. */
function explainRules(
  t: PageTexts,
  { policy, domains = [] }: SignUpRules,
  invitation: string | undefined,
): { rule?: string; isClosed?: true } {
  switch (policy) {
    case 'open':
      return {};
    case 'closed':
      return { rule: t.signUpClosed, isClosed: true };
    case 'invitation':
      return invitation ? {} : { rule: t.signUpByInvitation, isClosed: true };
    case 'domains':
      return { rule: t.signUpByDomain(domains.join(', ')) };
    default:
      return policy satisfies never;
  }
}

/** The account has been created; its address must be confirmed before the first sign-in. */
export function checkMailPage(t: PageTexts, { email, returnTo }: { email: string; returnTo: string }): Page {
  return {
    title: t.checkMail,
    content: html`<div class="heading"><h1>${t.checkMail}</h1>
<p>${t.checkMailDetail(email)}</p></div>
<p class="rule"><a href="${withReturnTo('/sign-in', returnTo)}">${t.signIn}</a></p>`,
  };
}

export function signUpPage(t: PageTexts, form: AccountForm, rules: SignUpRules): Page {
  const { typed, returnTo, fault, invitation } = form;
  const focus = fault?.field ?? 'name';
  const { rule, isClosed } = explainRules(t, rules, invitation);
  const signIn = html`<p class="rule">${t.haveAnAccount} <a href="${withReturnTo('/sign-in', returnTo)}">${t.signIn}</a></p>`;
  if (isClosed)
    return {
      title: t.createAnAccount,
      content: html`${heading(t, t.createAnAccount, returnTo)}
<p>${rule}</p>
${signIn}`,
    };
  return {
    title: fault ? t.accountNotCreated : t.createAnAccount,
    content: html`${heading(t, t.createAnAccount, returnTo)}
${rule !== undefined && html`<p class="muted">${rule}</p>`}
${alert(fault)}
<form method="post" action="/sign-up">
<input type="hidden" name="returnTo" value="${returnTo}">
${invitation !== undefined && html`<input type="hidden" name="invitation" value="${invitation}">`}
${field({ name: 'name', label: t.name, hint: t.nameHint, value: typed.name, autocomplete: 'name', fault, focus })}
${emailField(t, typed.email, fault, focus)}
${field({ name: 'password', label: t.password, hint: t.passwordHint(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max), type: 'password', autocomplete: 'new-password', fault, focus })}
${
  rules.termsUrl !== undefined &&
  html`<p><label><input type="checkbox" name="acceptedTerms" value="${rules.termsUrl}" required> ${t.acceptTerms}</label>
(<a href="${rules.termsUrl}" target="_blank" rel="noopener">${rules.termsUrl}</a>)</p>`
}
<button>${t.createAccount}</button>
</form>
${signIn}`,
  };
}

function heading(t: PageTexts, text: string, returnTo: string): Html {
  const isOnTheWay = returnTo.startsWith(AUTHORIZE);
  return html`<div class="heading"><h1>${text}</h1>
${isOnTheWay && html`<p class="muted">${t.thenYouDecide}</p>`}</div>`;
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
  t: PageTexts,
  value: string | undefined,
  fault: FormFault | undefined,
  focus: FieldName,
): Html {
  return field({
    name: 'email',
    label: t.email,
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
