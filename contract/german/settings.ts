/** The purpose of each setting, by name; the English text comes from the server. */
export const SETTINGS: Readonly<Record<string, string>> = {
  PORT: 'Port, auf dem der Server lauscht; 0 wählt einen freien.',
  HOST: 'Adresse, auf der er lauscht; `0.0.0.0` für alle.',
  PUBLIC_URL: 'Die Adresse, unter der Menschen und Bots diesen Server erreichen; im Betrieb `https://…`.',
  DATA_DIR: 'Ordner der eingebauten Datenbank, der Schlüssel und der hochgeladenen Dateien.',
  DATABASE_URL:
    'Ein vorhandenes PostgreSQL (ab Version 15) statt des eingebauten; mehrere Hosts für Primary und Standbys oder die Knoten von Citus.',
  DATABASE_POOL_SIZE:
    'Datenbankverbindungen, die jeder Prozess für seine Arbeit benutzt; zwei weitere kommen hinzu.',
  MASTER_KEYS:
    'Schlüssel für die Verschlüsselung, `<id>:<64 Hexziffern>`, durch Kommas getrennt; der mit der höchsten ID verschlüsselt.',
  MASTER_KEYS_FILE: 'Datei mit diesen Schlüsseln, einem pro Zeile, statt `MASTER_KEYS`.',
  ROLES: 'Rollen dieses Prozesses: `api`, `worker` oder beides.',
  PROCESSES:
    'Anzahl der Prozesse auf diesem Rechner, die sich den Port teilen; mehr als einer erfordert `REDIS_URL`.',
  REDIS_URL: 'Redis ab Version 7, über das sich mehrere Prozesse Kontingente und Live-Ereignisse teilen.',
  SERVICE_NAME:
    'Der Name, den Webhook-Header neben `Service` tragen und den Bot-Namen nicht enthalten dürfen.',
  MANAGEMENT_BOT_USERNAME: 'Benutzername des eingebauten Bots, mit dem Leute eigene Bots anlegen.',
  REQUESTS_PER_MINUTE: 'Kontingent einer neuen Anwendung, für jeden Schlüssel und Endpunkt.',
  SIGN_UPS:
    'Wer sich registrieren darf: `open` für alle, `invitation`, `domains:…` für bestätigte Adressen dort, oder `closed`.',
  MCP_CLIENTS:
    'Welche Assistenten Leute mit `/mcp` verbinden dürfen: `registered` nur registrierte Anwendungen, `published` auch solche, die unter einer eigenen Adresse veröffentlicht sind.',
  TERMS_URL: 'Nutzungsbedingungen, denen neue Leute zustimmen; wer schon ein Konto hat, wird einmal gefragt.',
  SIGN_UPS_PER_HOUR:
    'Wie viele Konten ein Netz (IPv4 /24, IPv6 /48) pro Stunde anlegen darf. Misslungene Registrierungen zählen für sich und werden ab derselben Zahl abgewiesen.',
  MAX_GROUP_MEMBERS: 'Wie viele Mitglieder eine Gruppe oder Broadcast-Liste haben darf.',
  STORY_LIFETIME_HOURS: 'Wie viele Stunden eine Story ab ihrem ersten Teil zu sehen ist; 0 für unbegrenzt.',
  MESSAGES_PER_MINUTE:
    'Wie viele Nachrichten jemand pro Minute schreiben darf, Umfragen und Storys eingerechnet.',
  UNANSWERED_MESSAGES_PER_HOUR:
    'Wie viele davon pro Stunde an Leute gehen dürfen, die nie geantwortet haben.',
  NEW_PEOPLE_PER_DAY:
    'Wie viele Leute, die nie geschrieben haben, jemand pro Tag zum ersten Mal anschreiben darf.',
  NEW_PEOPLE_ADDED_PER_DAY:
    'Wie viele Leute, die nie geschrieben haben, jemand pro Tag zu Gruppen hinzufügen darf.',
  GROUPS_PER_DAY: 'Wie viele Gruppen und Broadcast-Listen jemand pro Tag anlegen darf.',
  LIVE_STREAMS_PER_PERSON: 'Wie viele Live-Verbindungen jemand bei jedem Prozess offen halten darf.',
  UPLOADS_PER_MINUTE: 'Wie viele Dateien jemand pro Minute hochzuladen beginnen darf.',
  UPLOAD_MB_PER_DAY: 'Wie viele Megabyte jemand pro Tag hochladen darf.',
  MAP_TILE_URL: 'Woher der Chat Kartenbilder lädt, für Leute, die zugestimmt haben; `off` für keine.',
  MAP_ATTRIBUTION: 'Quellenangabe auf Karten, wie deren Lizenz sie verlangt.',
  S3_ENDPOINT: 'Ein S3-kompatibler Speicher für Dateien.',
  S3_BUCKET: 'Der Bucket in diesem Speicher.',
  S3_REGION: 'Die Region dieses Speichers.',
  S3_ACCESS_KEY_ID: 'Schlüssel, mit dem Dateien dort abgelegt, gelesen und gelöscht werden.',
  S3_SECRET_ACCESS_KEY: 'Der geheime Teil dieses Schlüssels.',
  TRUST_PROXY:
    'CIDR-Bereiche von Reverse-Proxys, deren `X-Forwarded-For` vertraut wird, durch Kommas getrennt.',
  WEBHOOK_TRUSTED_HOSTS:
    'Nur für die Entwicklung: Einträge `host` oder `host:port`, die Webhooks erreichen dürfen, obwohl sie privat sind oder kein https verwenden.',
  WEBHOOK_CA_FILE: 'PEM-Datei mit Zertifizierungsstellen, denen Webhooks neben den öffentlichen vertrauen.',
  EVENT_RETENTION_DAYS:
    'Wie lange Ereignisse für `GET /v1/events`, das Protokoll und Wiederholungen aufbewahrt werden.',
  MESSAGE_RETENTION_DAYS:
    'Wie lange Nachrichten mit Dateien, Reaktionen und Umfragen aufbewahrt werden; die Leute einer Unterhaltung können weniger wählen.',
  API_LOG_RETENTION_DAYS:
    'Wie lange das Protokoll der API-Anfragen aufbewahrt wird, von jeder Anwendung die letzten 10.000.',
  CALL_LOG_RETENTION_DAYS: 'Wie lange Leute sehen, was Anwendungen für sie getan haben.',
  AUDIT_RETENTION_DAYS:
    'Wie lange die Änderungsprotokolle der Anwendungen aufbewahrt werden; das Protokoll der Operatoren bleibt für immer.',
  SMTP_URL:
    'Mailserver für Alarme, vergessene Passwörter und die Bestätigung von Adressen; ohne ihn stehen Alarme im Log.',
  ALERT_FROM: 'Absender der Mails.',
  METRICS_PORT: 'Eigener Port auf `HOST` für `/metrics` im Prometheus-Format; 0 wählt einen freien.',
  METRICS_TOKEN: 'Bearer-Token mit 16 Zeichen oder mehr, das `/metrics` auf `PORT` öffnet.',
  LOG_LEVEL: 'Wie viel im Log steht: `fatal`, `error`, `warn`, `info`, `debug`, `trace` oder `silent`.',
  LOG_FORMAT: '`json` schreibt ein Objekt pro Zeile, für Programme; `pretty` lesbare Zeilen für Menschen.',
  ACCESS_LOG: '`on` schreibt eine Zeile pro Anfrage: Methode, Route, Status, Dauer, Adresse, Anfrage-ID.',
};
