import { defineTexts } from '../../ui/texts.ts';

export const createPollTexts = defineTexts(
  {
    title: 'New poll',
    question: 'Question',
    options: 'Answers to choose from',
    option: (number: number) => `Answer ${number}`,
    addOption: 'Add an answer',
    removeOption: (number: number) => `Remove answer ${number}`,
    mostOptions: (most: number) => `At most ${most} answers.`,
    equalOptions: 'Two answers are the same.',
    multiple: 'Allow several answers',
    anonymous: 'Anonymous',
    anonymousHint: 'Nobody will ever learn who chose what, not even you.',
    create: 'Create the poll',
  },
  {
    title: 'Neue Umfrage',
    question: 'Frage',
    options: 'Antworten zur Auswahl',
    option: (number) => `Antwort ${number}`,
    addOption: 'Antwort hinzufügen',
    removeOption: (number) => `Antwort ${number} entfernen`,
    mostOptions: (most) => `Höchstens ${most} Antworten.`,
    equalOptions: 'Zwei Antworten sind gleich.',
    multiple: 'Mehrere Antworten möglich',
    anonymous: 'Anonym',
    anonymousHint: 'Niemand, auch du nicht, erfährt je, wer was gewählt hat.',
    create: 'Umfrage anlegen',
  },
);
