import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { withReturnTo } from './return-to.ts';

export type FieldName = 'name' | 'email' | 'password' | 'code';

/** What is wrong with a form, in words for the person; without `field` it is not one field's fault. */
export interface FormFault {
  field?: FieldName;
  message: string;
}

/** A form as it is shown: what was typed, except passwords, and what was wrong with it. */
export interface AccountForm {
  returnTo: string;
  typed: { name?: string | undefined; email?: string | undefined };
  fault?: FormFault | undefined;
}

const AUTHORIZE = '/oauth/authorize';

export function signInPage(form: AccountForm): Page {
  const { typed, returnTo, fault } = form;
  const focus = fault?.field ?? (fault ? 'password' : 'email');
  return {
    title: fault ? 'Not signed in' : 'Sign in',
    content: html`${heading('Sign in', returnTo)}
${alert(fault)}
<form method="post" action="/sign-in">
<input type="hidden" name="returnTo" value="${returnTo}">
${emailField(typed.email, fault, focus)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', fault, focus })}
<button>Sign in</button>
</form>
<p class="rule">New here? <a href="${withReturnTo('/sign-up', returnTo)}">Create an account</a></p>`,
  };
}

/** The second step, for those who ask for it: the ticket says that the password was right. */
export function codePage({
  returnTo,
  ticket,
  fault,
}: Pick<AccountForm, 'returnTo' | 'fault'> & { ticket: string }): Page {
  return {
    title: fault ? 'Not signed in' : 'Enter a code',
    content: html`${heading('Enter a code', returnTo)}
${alert(fault)}
<form method="post" action="/sign-in/code">
<input type="hidden" name="returnTo" value="${returnTo}">
<input type="hidden" name="ticket" value="${ticket}">
${field({ name: 'code', label: 'Code', hint: 'Six digits from your authenticator app, or one of your recovery codes.', autocomplete: 'one-time-code', fault, focus: 'code' })}
<button>Sign in</button>
</form>
<p class="rule"><a href="${withReturnTo('/sign-in', returnTo)}">Begin again</a></p>`,
  };
}

export function signUpPage(form: AccountForm): Page {
  const { typed, returnTo, fault } = form;
  const focus = fault?.field ?? 'name';
  return {
    title: fault ? 'Account not created' : 'Create an account',
    content: html`${heading('Create an account', returnTo)}
${alert(fault)}
<form method="post" action="/sign-up">
<input type="hidden" name="returnTo" value="${returnTo}">
${field({ name: 'name', label: 'Name', hint: 'Shown to the people you write to.', value: typed.name, autocomplete: 'name', fault, focus })}
${emailField(typed.email, fault, focus)}
${field({ name: 'password', label: 'Password', hint: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters of any kind.`, type: 'password', autocomplete: 'new-password', fault, focus })}
<button>Create account</button>
</form>
<p class="rule">Already have an account? <a href="${withReturnTo('/sign-in', returnTo)}">Sign in</a></p>`,
  };
}

function heading(text: string, returnTo: string): Html {
  const isOnTheWay = returnTo.startsWith(AUTHORIZE);
  return html`<div class="heading"><h1>${text}</h1>
${isOnTheWay && html`<p class="muted">Then you decide about the application that sent you here.</p>`}</div>`;
}

/** What is wrong with the form as a whole; the faults of fields stand beside them. */
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

/** No `type="email"`: browsers rewrite or refuse addresses there that the sign-up by JSON takes. */
function emailField(value: string | undefined, fault: FormFault | undefined, focus: FieldName): Html {
  return field({
    name: 'email',
    label: 'E-mail address',
    value,
    autocomplete: 'username',
    inputmode: 'email',
    fault,
    focus,
  });
}

/** No `maxlength`: it would cut a pasted password in silence. */
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
