import type { HEALTH as ENGLISH } from '../reasons/health.ts';

/** The German of `reasons/health.ts`. */
export const HEALTH: Record<keyof typeof ENGLISH, string> = {
  'health.version': 'PostgreSQL {version}',
  'health.version-old': 'PostgreSQL {version} ist zu alt',
  'health.version-old.remedy':
    'PostgreSQL {oldest} oder neuer benutzen: pg_upgrade, oder „parley backup“ und „parley restore“ in ein neues',
  'health.clock': 'dieser Rechner und die Datenbank gehen gleich',
  'health.clock-apart': 'die Uhren dieses Rechners und der Datenbank gehen {seconds} s auseinander',
  'health.clock-apart.remedy':
    'auf beiden einen Zeitdienst laufen lassen (chrony, systemd-timesyncd): Signaturen, Token und Wiederholungen hängen von der Uhr ab',
  'health.durable': 'was bestätigt ist, steht auf der Platte',
  'health.not-durable': '{names} ist aus: bei Stromausfall können bestätigte Nachrichten verloren gehen',
  'health.not-durable.remedy': 'in postgresql.conf {names} = on setzen',
  'health.connections': '{wanted} werden hier gebraucht, {allowed} sind erlaubt',
  'health.connections-few':
    'PROCESSES × (DATABASE_POOL_SIZE + {beside}) + {spare} in Reserve sind {wanted} Verbindungen, die Datenbank erlaubt {allowed}',
  'health.connections-few.remedy': 'DATABASE_POOL_SIZE senken oder max_connections erhöhen',
  'health.schema': '{count} Migrationen, alle angewandt',
  'health.schema-empty': 'die Datenbank ist leer',
  'health.schema-empty.remedy': 'den Server starten oder „parley migrate“ ausführen',
  'health.schema-later': 'das Schema ist von einer späteren Version ({names})',
  'health.schema-later.remedy': 'diese Version auch hier installieren',
  'health.schema-missing': 'noch nicht angewandt: {names}',
  'health.schema-missing.remedy': 'diese Version starten oder „parley migrate“ ausführen',
  'health.backup': 'das letzte ist weniger als {hours} h alt',
  'health.backup-old': 'seit {hours} h ist kein Backup gelungen',
  'health.backup-old.remedy':
    'jede Nacht „parley backup“, wie deploy/systemd/parley-backup.timer es tut; siehe docs/operate/backup.md',
  'health.nodes.remedy': 'nach den Knoten sehen, dann „select citus_activate_node(…)“ auf dem Koordinator',
  'health.nodes': 'alle antworten',
  'health.nodes-away': 'keine Antwort von {names}',
  'health.node-hangs': 'einer von ihnen antwortet nicht rechtzeitig',
  'health.nodes-away.remedy':
    'ihn starten oder nachsehen, warum die anderen Knoten ihn nicht erreichen; was auf ihm liegt, wird mit 503 beantwortet',
  'health.undistributed.remedy':
    '„parley scale distribute“ ausführen: Eine spätere Version hat diese Tabellen gebracht',
  'health.directory-unwritable': 'die Benutzer-ID {user} darf {path} nicht beschreiben',
  'health.directory-unwritable.remedy':
    '{directory} anlegen und dem Benutzer geben, der Parley ausführt, oder DATA_DIR setzen',
  'health.disk': '{free} GiB sind frei in {path}',
  'health.disk.remedy':
    'Platz schaffen oder eine größere Platte nehmen: Eine volle Platte hält die Datenbank an',
  'health.no-uploads': 'keine auf dieser Platte',
  'health.uploads-open': '{directory} hat den Modus {mode}: Andere auf diesem Rechner können Dateien lesen',
  'health.host': '{name} antwortet',
  'health.host-read-only': '{name} antwortet und nimmt keine Änderungen an',
  'health.host-away': '{name} ist nicht erreichbar: {reason}',
  'health.host-away.remedy': 'dort PostgreSQL starten oder den Host aus DATABASE_URL nehmen',
  'health.key-file-setting': 'die Schlüssel stehen in MASTER_KEYS',
  'health.key-file-new': 'der erste Start legt {path} an',
  'health.key-file-missing': '{path} fehlt',
  'health.key-file-missing.remedy': 'sie aus ihrem Backup zurückholen; ohne sie ist keine Nachricht lesbar',
  'health.key-file-open': '{path} hat den Modus {mode}: Andere können sie lesen',
  'health.key-file-unreadable': 'dieser Benutzer kann {path} nicht lesen',
  'health.key-file-unreadable.remedy': 'als ihr Eigentümer ausführen oder sie dem Benutzer des Servers geben',
  'health.no-keys': 'es gibt keine',
  'health.no-keys.remedy': 'siehe „Schlüsseldatei“',
  'health.keys': 'Schlüssel {key} ist in Gebrauch',
  'health.keys-wrong.remedy':
    'MASTER_KEYS oder MASTER_KEYS_FILE auf die Schlüssel setzen, die zu dieser Datenbank gehören',
  'health.not-https': 'PUBLIC_URL ist nicht https',
  'health.certificate': 'noch {days} Tage gültig',
  'health.certificate-ends': 'das Zertifikat von {host} endet in {days} Tagen',
  'health.certificate.remedy':
    'siehe docs/operate/proxies.md; das Zertifikat mit seinen Zwischenzertifikaten erneuern oder einrichten',
  'health.certificate-away': '{url} ist über TLS nicht erreichbar: {reason}',
  'health.redis-unused': 'nicht in Gebrauch',
  'health.answers': 'antwortet',
  'health.redis.remedy': 'Redis starten oder REDIS_URL darauf setzen',
  'health.no-mail': 'SMTP_URL ist nicht gesetzt: Alarme stehen nur im Log',
  'health.no-mail.remedy': 'SMTP_URL auf einen Mailserver setzen',
  'health.mail': '{host} nimmt Mail an',
  'health.mail-refused': '{host} nimmt keine Mail an: {reason}',
  'health.mail-refused.remedy': 'Host, Port, Benutzer und Passwort in SMTP_URL prüfen und die Firewall',
  'health.store-disk': 'auf der Platte von DATA_DIR',
  'health.store': '{host} antwortet',
  'health.store-away': '{host} ist nicht zu gebrauchen: {reason}',
  'health.store-away.remedy': 'die Einstellungen S3_…, die Rechte des Schlüssels und die Firewall prüfen',
  'health.host-without-url':
    'HOST ist {host}, aber PUBLIC_URL ist nicht gesetzt: Links, Anmeldung und Passkeys würden localhost nennen',
  'health.host-without-url.remedy':
    'PUBLIC_URL auf die https-Adresse setzen, unter der Menschen den Server erreichen',
  'health.url-without-tls':
    'PUBLIC_URL ist {url}: Passwörter und Nachrichten wären unverschlüsselt unterwegs, und Browser weisen die Cookies ab',
  'health.url-without-tls.remedy':
    'einen Reverse-Proxy mit Zertifikat davorstellen und PUBLIC_URL auf https://… setzen; siehe docs/operate/proxies.md',
  'health.localhost': 'nur localhost',
  'health.guard': 'Webhooks erreichen nur öffentliche Adressen',
  'health.guard-open': 'WEBHOOK_TRUSTED_HOSTS lässt Webhooks {hosts} im eigenen Netz erreichen',
  'health.guard-open.remedy': 'WEBHOOK_TRUSTED_HOSTS entfernen; es ist für die Entwicklung',
  'health.no-proxy': 'keiner',
  'health.proxy-untrusted':
    'PUBLIC_URL ist https, aber TRUST_PROXY ist nicht gesetzt: Alle scheinen vom Proxy zu kommen und teilen sich eine Anmeldegrenze',
  'health.proxy-untrusted.remedy': 'TRUST_PROXY auf den Adressbereich des Proxys setzen, etwa 127.0.0.1/32',
};
