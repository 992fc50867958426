import { defineTexts } from '../../ui/texts.ts';

export const pollTexts = defineTexts(
  {
    closed: 'Closed',
    chooseOne: 'Choose one answer',
    chooseSeveral: 'Choose as many answers as you like',
    anonymous: 'anonymous',
    votes: (count: number) => (count === 1 ? '1 vote' : `${count} votes`),
    voters: (count: number) => (count === 1 ? '1 person voted' : `${count} people voted`),
    showVoters: 'Who voted what',
    nobody: 'Nobody',
    close: 'Close the poll',
    closeTitle: 'Close this poll?',
    closeText: 'Nobody can vote any more. This cannot be undone.',
  },
  {
    closed: 'Geschlossen',
    chooseOne: 'Wähle eine Antwort',
    chooseSeveral: 'Wähle so viele Antworten, wie du magst',
    anonymous: 'anonym',
    votes: (count) => (count === 1 ? '1 Stimme' : `${count} Stimmen`),
    voters: (count) => (count === 1 ? '1 Person hat abgestimmt' : `${count} Personen haben abgestimmt`),
    showVoters: 'Wer wofür gestimmt hat',
    nobody: 'Niemand',
    close: 'Umfrage schließen',
    closeTitle: 'Diese Umfrage schließen?',
    closeText: 'Danach kann niemand mehr abstimmen. Das lässt sich nicht zurücknehmen.',
  },
);
