import type { FINDINGS as ENGLISH } from '../reasons/findings.ts';

/** The German of `reasons/findings.ts`. */
export const FINDINGS: Record<keyof typeof ENGLISH, string> = {
  'attempt.internal': 'Die Anfrage ist an einem Fehler auf unserer Seite gescheitert; sie wird wiederholt.',
  'attempt.unreadable-event':
    'Das gespeicherte Ereignis kann nicht gelesen werden: Es ist beschädigt, oder sein Schlüssel fehlt. Der Betreiber dieses Servers findet es im Protokoll.',
  'attempt.unreadable-url':
    'Die Webhook-Adresse kann nicht gelesen werden, deshalb lässt sich nichts senden: Adresse neu setzen.',
  'attempt.unreadable-secret':
    'Das Webhook-Secret kann nicht gelesen werden, deshalb lässt sich nichts signieren: ein neues erzeugen.',
  'attempt.bot-failed':
    'Der Bot hat das Ereignis geholt und nach {attempts|Versuch|Versuchen} aufgegeben: {error}.',
  'attempt.circuit-open':
    'Nicht gesendet: Alle Versuche davor sind fehlgeschlagen. Es wird ein Ereignis nach dem anderen gesendet, bis der Empfänger mit 2xx antwortet.',
  'attempt.redirect':
    'Der Empfänger antwortete mit einer Weiterleitung ({status}), der wir nicht folgen: die endgültige Adresse als Webhook-Adresse setzen.',
  'attempt.unauthorised':
    'Der Empfänger antwortete {status}: Wahrscheinlich hat er ein anderes Webhook-Secret, oder er liest das JSON ein, bevor er die Signatur prüft. Sonst steht eine Anmeldung oder Firewall-Regel vor dem Pfad des Webhooks.',
  'attempt.nothing-there':
    'Der Empfänger antwortete {status}: unter dem Pfad der Webhook-Adresse gibt es nichts; Adresse prüfen.',
  'attempt.no-post': 'Der Empfänger antwortete {status}: der Pfad der Webhook-Adresse akzeptiert kein POST.',
  'attempt.body-too-large': 'Der Empfänger antwortete {status}: Anfragen von mindestens 64 KiB zulassen.',
  'attempt.too-many':
    'Der Empfänger antwortete {status}: er begrenzt die Zahl der Anfragen; sofort mit 2xx antworten und die Arbeit später erledigen.',
  'attempt.receiver-failed':
    'Der Empfänger antwortete {status}: bei der Verarbeitung des Ereignisses trat ein Fehler auf; siehe das Log des Empfängers.',
  'attempt.not-2xx': 'Der Empfänger antwortete {status}: nur 2xx gilt als zugestellt.',
  'failure.dns': 'Der Hostname lässt sich nicht auflösen; DNS-Einträge prüfen.{code}',
  'failure.private_address':
    'Der Hostname verweist auf eine private, lokale oder reservierte Adresse; nur öffentliche werden aufgerufen.{code}',
  'failure.connect':
    'Es kam keine Verbindung zustande; prüfen, ob der Empfänger läuft und seine Firewall unsere Anfragen zulässt.{code}',
  'failure.tls_expired':
    'Das Zertifikat ist abgelaufen oder noch nicht gültig; erneuern und die Uhr des Rechners prüfen.{code}',
  'failure.tls_name':
    'Das Zertifikat gilt für andere Hostnamen; eines für den Host der Adresse besorgen.{code}',
  'failure.tls_untrusted':
    'Das Zertifikat ist selbst signiert oder von einer unbekannten Stelle; ein öffentliches verwenden und die Zwischenzertifikate mitsenden.{code}',
  'failure.tls':
    'Es kam keine TLS-Verbindung zustande; der Port muss TLS 1.2 oder neuer unterstützen und darf kein Client-Zertifikat verlangen.{code}',
  'failure.reset': 'Der Empfänger schloss die Verbindung, bevor seine Antwort vollständig war.{code}',
  'failure.protocol': 'Die Antwort ist kein gültiges HTTP/1.1.{code}',
  'failure.too_large': 'Die Header der Antwort sind zu groß.{code}',
  'timeout.url': 'Die Antwort kam nicht rechtzeitig vollständig an.',
  'timeout.dns':
    'Die Antwort kam nicht rechtzeitig vollständig an. Die Nameserver des Hosts antworteten nicht.',
  'timeout.connect':
    'Die Antwort kam nicht rechtzeitig vollständig an. Der Empfänger nahm die Verbindung nicht an; vielleicht verwirft eine Firewall unsere Pakete.',
  'timeout.tls':
    'Die Antwort kam nicht rechtzeitig vollständig an. Der TLS-Handshake wurde nicht abgeschlossen.',
  'timeout.firstByte':
    'Die Antwort kam nicht rechtzeitig vollständig an. Der Empfänger hat nicht begonnen zu antworten; zuerst antworten, dann arbeiten.',
  'timeout.body':
    'Die Antwort kam nicht rechtzeitig vollständig an. Der Empfänger hat seine Antwort begonnen, aber nicht beendet.',
  'audit.genuine-accepted': 'Ein echtes Ereignis wird angenommen.',
  'audit.genuine-refused':
    'Ein echtes Ereignis wird nicht angenommen: die Prüfung der Signatur kontrollieren, dann den Versuch ansehen.',
  'audit.duplicate-accepted':
    'Dasselbe Ereignis ein zweites Mal wird angenommen; es an der msgId erkennen und einmal behandeln.',
  'audit.duplicate-refused':
    'Dasselbe Ereignis ein zweites Mal wird nicht angenommen: Duplikate mit 2xx beantworten, sonst werden sie erneut gesendet.',
  'audit.forged-accepted':
    'Ein Ereignis mit gefälschter Signatur wird angenommen: Jeder kann deinem Bot falsche Ereignisse senden.',
  'audit.forged-refused': 'Ein Ereignis mit gefälschter Signatur wird nicht angenommen.',
  'audit.stale-accepted':
    'Ein vor 10 Minuten signiertes Ereignis wird angenommen: mehr als 300 s ablehnen, sonst lassen sich alte Anfragen wiederholen.',
  'audit.stale-refused': 'Ein vor 10 Minuten signiertes Ereignis wird nicht angenommen.',
  'signature.past':
    't liegt {age} s in der Vergangenheit; ein Empfänger lehnt mehr als {seconds} s ab. Für eine frühere Anfrage ist das richtig; sonst die Uhr des Empfängers prüfen',
  'signature.future':
    't liegt {age} s in der Zukunft; ein Empfänger lehnt mehr als {seconds} s ab. Für eine frühere Anfrage ist das richtig; sonst die Uhr des Empfängers prüfen',
  'signature.secret-spaces': 'um das Secret stehen Leerzeichen oder ein Zeilenumbruch; entfernen',
  'signature.secret-beginning': 'dem Secret fehlt der Anfang whsec_; den ganzen Text wie angezeigt verwenden',
  'signature.other-secret': 'das ist nicht das Webhook-Secret der Anwendung',
  'signature.other-secret-pasted':
    'das ist nicht das Webhook-Secret der Anwendung; signiert wurde aber mit dem richtigen',
  'signature.previous-pasted':
    'das ist das vorige Secret; v1 entsteht nur mit dem neuesten, auch während beide gelten',
  'signature.previous-used': 'signiert wurde mit dem vorigen Secret; das eingefügte ist keines der beiden',
  'signature.secret-decoded':
    'das Secret wurde aus base64 dekodiert; der Schlüssel für v1 ist sein Text wie angezeigt',
  'signature.body-spaces': 'um den Inhalt wurden Leerzeichen oder Zeilenumbrüche hinzugefügt',
  'signature.body-serialised':
    'der Inhalt wurde geparst und neu serialisiert; über die rohen Bytes prüfen, vor jedem JSON-Parser',
  'signature.body-changed':
    'der Inhalt ist nicht der gesendete: er wurde neu serialisiert oder geändert; über die rohen Bytes prüfen',
  'signature.other-body': 'der Inhalt ist nicht der gesendete',
  'signature.not-for-event':
    'v1 ist nicht von uns für dieses Ereignis zur Zeit t: der Header wurde geändert oder gefälscht, oder das Secret wurde seither ersetzt',
  'signature.not-for-body':
    'v1 gehört nicht zu diesem Inhalt, t und Secret: der Inhalt wurde geändert, oder der Header gefälscht',
  'signature.standard-webhooks':
    'der Header ist die webhook-signature der Standard Webhooks; den Wert von X-Service-Signature einfügen',
  'signature.header-untidy':
    'der Header darf weder Leerzeichen noch Großbuchstaben haben: t=…,v1=… wurde unterwegs geändert',
  'signature.header-form': 'der Header muss die Form t=<Unix-Sekunden>,v1=<64 Hexziffern> haben',
  'signature.header-more':
    'der Header muss die Form t=<Unix-Sekunden>,v1=<64 Hexziffern> haben und sonst nichts',
  'signature.no-t': 'der Header hat kein t=<Unix-Sekunden>',
  'signature.t-too-fine': 'der Header hat t in Millisekunden oder feiner; es muss in Sekunden sein',
  'signature.t-no-number': 'der Header hat ein t, das keine ganze Zahl von Sekunden ist',
  'signature.no-v1': 'der Header hat kein v1=<64 Hexziffern>',
  'signature.v1-length':
    'der Header hat ein v1 mit {count} statt 64 Hexziffern; ein Teil fehlt, oder es sind zu viele',
  'signature.v1-no-hex': 'der Header hat ein v1, das nicht aus Hexziffern besteht',
  'alert.confirmation-sent':
    'Eine E-Mail mit einem Link ist unterwegs: Warnungen kommen, sobald jemand den Link öffnet und bestätigt.',
  'alert.confirmed': 'Die Adresse ist schon bestätigt.',
  'alert.unconfirmed':
    'Die Adresse ist nicht bestätigt: Jemand muss dem Link in der dorthin gesendeten E-Mail folgen.',
  'alert.unreadable': 'Die Adresse dieses Kontakts kann nicht gelesen werden: ihn entfernen und neu anlegen.',
  'alert.test-sent': 'Der Test ist gesendet; prüfen, ob er angekommen ist.',
  'alert.no-mail-server':
    'Auf diesem Server ist kein Mailserver eingerichtet (SMTP_URL): Warnungen stehen in seinem Protokoll.',
  'alert.application-deleted': 'Die Anwendung ist gelöscht.',
  'alert.internal': 'Ein Fehler auf unserer Seite hat das Senden verhindert.',
  'alert.chat-answered': 'Der Chat antwortete {status}.',
  'alert.mail-refused': 'Der Mailserver hat sie nicht angenommen.',
  'alert.mail-refused-with': 'Der Mailserver hat sie nicht angenommen ({code}).',
};
