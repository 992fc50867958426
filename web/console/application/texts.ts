import { defineTexts } from '../../ui/texts.ts';

export const applicationTexts = defineTexts(
  {
    screens: 'Screens of this application',
    overview: 'Overview',
    credentials: 'Credentials',
    bot: 'Bot',
    oauth: 'OAuth',
    events: 'Webhook and events',
    requests: 'API log',
    usage: 'Usage',
    simulator: 'Simulator',
    alerts: 'Alerts',
    audit: 'Audit trail',
    team: 'Team',
    settings: 'Settings',
    active: 'active',
    disabled: 'disabled',
    suspended: 'suspended',
    viewer:
      'You are a viewer: you can look at everything and change nothing. The owner can make you a developer.',
  },
  {
    screens: 'Bereiche dieser Anwendung',
    overview: 'Übersicht',
    credentials: 'Zugangsdaten',
    bot: 'Bot',
    oauth: 'OAuth',
    events: 'Webhook und Ereignisse',
    requests: 'API-Protokoll',
    usage: 'Nutzung',
    simulator: 'Simulator',
    alerts: 'Warnungen',
    audit: 'Änderungen',
    team: 'Team',
    settings: 'Einstellungen',
    active: 'aktiv',
    disabled: 'abgeschaltet',
    suspended: 'gesperrt',
    viewer:
      'Du bist Betrachter: Du kannst alles ansehen und nichts ändern. Der Inhaber kann dich zum Entwickler machen.',
  },
);
