import type { HEALTH as ENGLISH } from '../reasons/health.ts';

/** The German of `reasons/health.ts`. */
export const HEALTH: Record<keyof typeof ENGLISH, string> = {
  'health.version': 'PostgreSQL {version}',
  'health.version-old': 'PostgreSQL {version} ist zu alt',
  'health.version-old.remedy':
    'PostgreSQL {oldest} oder neuer benutzen: pg_upgrade, oder „parley backup“ und „parley restore“ in ein neues',
  'health.clock': 'die Uhren dieses Rechners und der Datenbank stimmen überein',
  'health.clock-apart': 'die Uhren dieses Rechners und der Datenbank weichen um {seconds} s voneinander ab',
  'health.clock-apart.remedy':
    'auf beiden einen Zeitdienst einrichten (chrony, systemd-timesyncd): Signaturen, Token und Wiederholungen hängen von der Uhr ab',
  'health.durable': 'bestätigte Daten stehen auf der Platte',
  'health.not-durable': '{names} ist aus: bei Stromausfall können bestätigte Nachrichten verloren gehen',
  'health.not-durable.remedy': 'in postgresql.conf {names} = on setzen',
  'health.connections': 'dieser Server braucht {wanted}, erlaubt sind {allowed}',
  'health.connections-few':
    'PROCESSES × (DATABASE_POOL_SIZE + {beside}) + {spare} in Reserve ergeben {wanted} Verbindungen, die Datenbank erlaubt aber nur {allowed}',
  'health.connections-few.remedy': 'DATABASE_POOL_SIZE senken oder max_connections erhöhen',
  'health.schema': '{count|Migration|Migrationen}, alle angewandt',
  'health.schema-empty': 'die Datenbank ist leer',
  'health.schema-empty.remedy': 'den Server starten oder „parley migrate“ ausführen',
  'health.schema-later': 'das Schema stammt von einer späteren Version ({names})',
  'health.schema-later.remedy': 'diese Version auch hier installieren',
  'health.schema-missing': 'noch nicht angewandt: {names}',
  'health.schema-missing.remedy': 'diese Version starten oder „parley migrate“ ausführen',
  'health.backup': 'das letzte ist weniger als {hours} Stunden alt',
  'health.backup-none': 'noch kein Backup',
  'health.backup-old': 'seit {hours} Stunden ist kein Backup gelungen',
  'health.backup-old.remedy':
    'jede Nacht „parley backup“ ausführen, wie es deploy/systemd/parley-backup.timer tut; siehe docs/operate/backup.md',
  'health.nodes.remedy':
    'die Knoten reparieren, dann „select citus_activate_node(…)“ auf dem Koordinator ausführen',
  'health.nodes': 'alle antworten',
  'health.nodes-away': 'keine Antwort von {names}',
  'health.node-hangs': 'einer von ihnen antwortet nicht rechtzeitig',
  'health.nodes-away.remedy':
    'ihn starten oder prüfen, warum die anderen Knoten ihn nicht erreichen; Anfragen nach seinen Daten erhalten 503',
  'health.undistributed.remedy':
    '„parley scale distribute“ ausführen: eine spätere Version hat diese Tabellen hinzugefügt',
  'health.directory-unwritable': 'die Benutzer-ID {user} darf {path} nicht beschreiben',
  'health.directory-unwritable.remedy':
    '{directory} anlegen und dem Benutzer übereignen, der Parley ausführt, oder DATA_DIR setzen',
  'health.disk': '{free} GiB sind frei in {path}',
  'health.disk.remedy':
    'Platz schaffen oder eine größere Platte nehmen: bei voller Platte bleibt die Datenbank stehen',
  'health.no-uploads': 'keine auf dieser Platte',
  'health.uploads-open':
    '{directory} hat den Modus {mode}: andere auf diesem Rechner können hochgeladene Dateien lesen',
  'health.host': '{name} antwortet',
  'health.host-read-only': '{name} antwortet, nimmt aber keine Änderungen an',
  'health.host-away': '{name} ist nicht erreichbar: {reason}',
  'health.host-away.remedy': 'dort PostgreSQL starten oder den Host aus DATABASE_URL entfernen',
  'health.key-file-setting': 'die Schlüssel stehen in MASTER_KEYS',
  'health.key-file-new': 'der erste Start legt {path} an',
  'health.key-file-missing': '{path} fehlt',
  'health.key-file-missing.remedy':
    'sie aus ihrem Backup wiederherstellen; ohne sie ist keine Nachricht lesbar',
  'health.key-file-open': '{path} hat den Modus {mode}: andere können sie lesen',
  'health.key-file-unreadable': 'dieser Benutzer kann {path} nicht lesen',
  'health.key-file-unreadable.remedy':
    'als ihr Eigentümer ausführen oder sie dem Benutzer des Servers übereignen',
  'health.no-keys': 'es gibt keine',
  'health.no-keys.remedy': 'siehe „Schlüsseldatei“',
  'health.keys': 'Schlüssel {key} ist in Gebrauch',
  'health.keys-wrong.remedy':
    'MASTER_KEYS oder MASTER_KEYS_FILE auf die Schlüssel setzen, die zu dieser Datenbank gehören',
  'health.not-https': 'PUBLIC_URL ist nicht https',
  'health.certificate': 'noch {days|Tag|Tage} gültig',
  'health.certificate-ends': 'das Zertifikat von {host} läuft in {days|Tag|Tagen} ab',
  'health.certificate.remedy':
    'siehe docs/operate/proxies.md; das Zertifikat mit seinen Zwischenzertifikaten erneuern oder installieren',
  'health.certificate-away': '{url} ist über TLS nicht erreichbar: {reason}',
  'health.redis-unused': 'nicht benutzt',
  'health.answers': 'antwortet',
  'health.redis.remedy': 'Redis starten oder REDIS_URL auf seine Adresse setzen',
  'health.no-mail': 'SMTP_URL ist nicht gesetzt: Warnungen stehen nur im Log',
  'health.no-mail.remedy': 'in SMTP_URL einen Mailserver angeben',
  'health.mail': '{host} nimmt Mail an',
  'health.mail-refused': '{host} nimmt keine Mail an: {reason}',
  'health.mail-refused.remedy': 'Host, Port, Benutzer und Passwort in SMTP_URL prüfen und die Firewall',
  'health.store-disk': 'auf der Platte von DATA_DIR',
  'health.store': '{host} antwortet',
  'health.store-away': '{host} ist nicht benutzbar: {reason}',
  'health.store-away.remedy': 'die Einstellungen S3_…, die Rechte des Schlüssels und die Firewall prüfen',
  'health.host-without-url':
    'HOST ist {host}, aber PUBLIC_URL ist nicht gesetzt: Links, Anmeldung und Passkeys würden localhost nennen',
  'health.host-without-url.remedy':
    'in PUBLIC_URL die https-Adresse angeben, unter der der Server erreichbar ist',
  'health.url-without-tls':
    'PUBLIC_URL ist {url}: Passwörter und Nachrichten würden unverschlüsselt übertragen, und Browser lehnen die Cookies ab',
  'health.url-without-tls.remedy':
    'einen Reverse-Proxy mit Zertifikat davorstellen und PUBLIC_URL auf https://… setzen; siehe docs/operate/proxies.md',
  'health.localhost':
    'nur localhost: PUBLIC_URL ist nicht gesetzt, daher können nur Bots auf diesem Rechner Uploads laden',
  'health.guard': 'Webhooks erreichen nur öffentliche Adressen',
  'health.guard-open': 'WEBHOOK_TRUSTED_HOSTS lässt Webhooks {hosts} im eigenen Netz erreichen',
  'health.guard-open.remedy': 'WEBHOOK_TRUSTED_HOSTS entfernen; die Einstellung ist nur für die Entwicklung',
  'health.no-proxy': 'keiner',
  'health.proxy-untrusted':
    'PUBLIC_URL ist https, aber TRUST_PROXY ist nicht gesetzt: alle Anfragen scheinen vom Proxy zu kommen und teilen sich ein Limit für Anmeldungen',
  'health.proxy-untrusted.remedy': 'TRUST_PROXY auf den Adressbereich des Proxys setzen, etwa 127.0.0.1/32',
};
