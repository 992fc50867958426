import type { ReportDecision, ReportReason, ReportTarget } from '#contract/chat/reports.ts';
import { defineTexts, plural } from '../../ui/texts.ts';

export const reportTexts = defineTexts(
  {
    lead: 'Reports, with the messages that people chose to include. You see no others.',
    which: 'Which reports',
    open: 'Open',
    decided: 'Decided',
    kind: 'About',
    all: 'Everything',
    noneOpen: 'No open reports',
    noneOpenText: 'Reports from the chat appear here, oldest first.',
    noneDecided: 'No decided reports',
    waiting: (open: number) => plural(open, { one: 'report waits', other: 'reports wait' }),
    oldest: 'the oldest from',
    reported: 'Reported',
    reason: 'Why',
    reporter: 'Reported by',
    at: 'When',
    decision: 'Decision',
    title: (name: string) => `Report about ${name}`,
    aGroup: 'a group',
    gone: 'a deleted account',
    comment: 'What the reporter says',
    messages: 'Messages',
    messagesLead:
      'As they were when they were reported. The reporter chose to include these; no others are shown here.',
    noMessages: 'The reporter included no messages.',
    unreadable: 'This report cannot be read: the key that it was encrypted with is missing.',
    select: (name: string) => `Remove this message of ${name}`,
    selectHint: 'Select the messages to remove.',
    file: 'Open the file',
    ofType: (type: string) => `a message of the type ${type}`,
    decide: 'Decide',
    decideLead:
      'The reporter learns whether something was done. Those concerned see the reason, but not who reported.',
    nothing: 'Nothing to do',
    nothingText:
      'The reporter is told that you found nothing to act on. Whoever was reported learns nothing.',
    warn: 'Warn',
    warnTitle: 'Send a warning?',
    warnText: 'The reason is sent as a message of the built-in bot.',
    remove: 'Remove messages',
    removeTitle: 'Remove the selected messages?',
    removeText: (count: number) =>
      `${plural(count, { one: 'message disappears', other: 'messages disappear' })} for everybody in the conversation, and the author sees the reason.`,
    suspend: 'Suspend',
    suspendTitle: 'Suspend the reported account?',
    suspendText: 'All sessions end at once, and nobody can sign in. The person sees the reason at sign-in.',
    suspendBotText: 'The keys of the bot’s application are refused, and its owner sees the reason.',
    alsoRemoves: (count: number) => `Also removes ${plural(count, { one: 'message', other: 'messages' })}.`,
    done: 'The report is decided',
  },
  {
    lead: 'Was Menschen gemeldet haben, mit den Nachrichten, die sie dazu gewählt haben. Andere siehst du nicht.',
    which: 'Welche Meldungen',
    open: 'Offen',
    decided: 'Entschieden',
    kind: 'Betrifft',
    all: 'Alles',
    noneOpen: 'Keine offenen Meldungen',
    noneOpenText: 'Meldungen aus dem Chat erscheinen hier, die ältesten zuerst.',
    noneDecided: 'Keine entschiedenen Meldungen',
    waiting: (open) => plural(open, { one: 'Meldung wartet', other: 'Meldungen warten' }),
    oldest: 'die älteste von',
    reported: 'Gemeldet',
    reason: 'Warum',
    reporter: 'Gemeldet von',
    at: 'Wann',
    decision: 'Entscheidung',
    title: (name) => `Meldung über ${name}`,
    aGroup: 'eine Gruppe',
    gone: 'ein gelöschtes Konto',
    comment: 'Was dazu gesagt wurde',
    messages: 'Nachrichten',
    messagesLead:
      'So, wie sie bei der Meldung waren. Wer gemeldet hat, wollte diese zeigen; andere sieht hier niemand.',
    noMessages: 'Es wurden keine Nachrichten gezeigt.',
    unreadable: 'Diese Meldung ist nicht lesbar: Der Schlüssel, mit dem sie verschlüsselt wurde, fehlt.',
    select: (name) => `Diese Nachricht von ${name} entfernen`,
    selectHint: 'Wähle die Nachrichten, die entfernt werden sollen.',
    file: 'Datei öffnen',
    ofType: (type) => `eine Nachricht der Art ${type}`,
    decide: 'Entscheiden',
    decideLead:
      'Wer gemeldet hat, erfährt, ob etwas unternommen wurde. Wen es betrifft, liest den Grund, aber nicht, wer gemeldet hat.',
    nothing: 'Nichts zu tun',
    nothingText: 'Wer gemeldet hat, erfährt, dass es keinen Anlass gab. Wer gemeldet wurde, erfährt nichts.',
    warn: 'Verwarnen',
    warnTitle: 'Verwarnung schicken?',
    warnText: 'Der Grund kommt als Nachricht des eingebauten Bots.',
    remove: 'Nachrichten entfernen',
    removeTitle: 'Die gewählten Nachrichten entfernen?',
    removeText: (count) =>
      `${plural(count, { one: 'Nachricht verschwindet', other: 'Nachrichten verschwinden' })} für alle in der Unterhaltung, und wer sie geschrieben hat, liest den Grund.`,
    suspend: 'Sperren',
    suspendTitle: 'Das gemeldete Konto sperren?',
    suspendText:
      'Alle Sitzungen enden sofort, und niemand kann sich mehr anmelden. Den Grund liest die Person bei der Anmeldung.',
    suspendBotText:
      'Die Schlüssel der Anwendung dieses Bots werden abgewiesen; wem sie gehört, liest den Grund.',
    alsoRemoves: (count) => `Entfernt auch ${plural(count, { one: 'Nachricht', other: 'Nachrichten' })}.`,
    done: 'Über die Meldung ist entschieden',
  },
);

export const reasonTexts = defineTexts<Record<ReportReason, string>>(
  {
    spam: 'Spam',
    abuse: 'Insults or harassment',
    violence: 'Violence or threats',
    children: 'Danger to children',
    fraud: 'Fraud',
    other: 'Something else',
  },
  {
    spam: 'Spam',
    abuse: 'Beleidigung oder Belästigung',
    violence: 'Gewalt oder Drohung',
    children: 'Gefahr für Kinder',
    fraud: 'Betrug',
    other: 'Etwas anderes',
  },
);

export const targetTexts = defineTexts<Record<ReportTarget, string>>(
  { person: 'People', bot: 'Bots', group: 'Groups' },
  { person: 'Personen', bot: 'Bots', group: 'Gruppen' },
);

export const decisionTexts = defineTexts<Record<ReportDecision, string>>(
  { nothing: 'nothing to do', warned: 'warned', removed: 'messages removed', suspended: 'suspended' },
  { nothing: 'nichts zu tun', warned: 'verwarnt', removed: 'Nachrichten entfernt', suspended: 'gesperrt' },
);
