import type { FINDINGS as ENGLISH } from '../reasons/findings.ts';

/** The German of `reasons/findings.ts`. */
export const FINDINGS: Record<keyof typeof ENGLISH, string> = {
  'attempt.internal': 'Die Anfrage scheiterte an einem Fehler bei uns; sie wird wiederholt.',
  'attempt.unreadable-event':
    'Das gespeicherte Ereignis kann nicht gelesen werden: Es ist beschädigt, oder sein Schlüssel fehlt. Der Betreiber dieses Servers findet es im Protokoll.',
  'attempt.unreadable-url':
    'Die Webhook-Adresse kann nicht gelesen werden, also lässt sich nichts senden: sie noch einmal setzen.',
  'attempt.unreadable-secret':
    'Das Webhook-Secret kann nicht gelesen werden, also lässt sich nichts unterschreiben: ein neues erzeugen.',
  'attempt.bot-failed': 'Der Bot hat das Ereignis geholt und nach {attempts} Versuchen aufgegeben: {error}.',
  'attempt.circuit-open':
    'Nicht gesendet: Alle Versuche davor sind fehlgeschlagen. Es wird ein Ereignis nach dem anderen gesendet, bis der Empfänger mit 2xx antwortet.',
  'attempt.redirect':
    'Der Empfänger antwortete mit einer Weiterleitung ({status}); keiner wird gefolgt: die endgültige Adresse als Webhook-Adresse setzen.',
  'attempt.unauthorised':
    'Der Empfänger antwortete {status}: den Pfad des Webhooks ohne Anmeldung und Firewall-Regel einlassen; die Unterschrift zeigt, dass wir es sind.',
  'attempt.nothing-there':
    'Der Empfänger antwortete {status}: am Pfad der Webhook-Adresse ist nichts; Adresse prüfen.',
  'attempt.no-post': 'Der Empfänger antwortete {status}: der Pfad der Webhook-Adresse nimmt kein POST.',
  'attempt.body-too-large': 'Der Empfänger antwortete {status}: Inhalte von mindestens 64 KiB zulassen.',
  'attempt.too-many':
    'Der Empfänger antwortete {status}: er verlangt weniger Anfragen; sofort mit 2xx antworten und die Arbeit später tun.',
  'attempt.receiver-failed':
    'Der Empfänger antwortete {status}: er scheiterte am Ereignis; sein eigenes Protokoll sagt, woran.',
  'attempt.not-2xx': 'Der Empfänger antwortete {status}: nur 2xx gilt als zugestellt.',
  'failure.dns': 'Der Hostname lässt sich nicht auflösen; DNS-Einträge prüfen.{code}',
  'failure.private_address':
    'Der Hostname führt zu einer privaten, lokalen oder reservierten Adresse; nur öffentliche werden angesprochen.{code}',
  'failure.connect':
    'Es kam keine Verbindung zustande; prüfen, ob der Empfänger läuft und die Firewall uns einlässt.{code}',
  'failure.tls_expired':
    'Das Zertifikat ist abgelaufen oder noch nicht gültig; erneuern und die Uhr der Maschine prüfen.{code}',
  'failure.tls_name':
    'Das Zertifikat gilt für andere Hostnamen; eines für den Host der Adresse besorgen.{code}',
  'failure.tls_untrusted':
    'Das Zertifikat ist selbst unterschrieben oder von unbekannter Stelle; ein öffentliches nehmen und die Zwischenzertifikate mitsenden.{code}',
  'failure.tls':
    'Es kam keine TLS-Verbindung zustande; der Port muss TLS 1.2 oder neuer sprechen und darf kein Client-Zertifikat verlangen.{code}',
  'failure.reset': 'Der Empfänger schloss die Verbindung, bevor seine Antwort vollständig war.{code}',
  'failure.protocol': 'Die Antwort ist kein gültiges HTTP/1.1.{code}',
  'failure.too_large': 'Die Header der Antwort sind zu groß.{code}',
  'timeout.url': 'Die ganze Antwort kam nicht rechtzeitig.',
  'timeout.dns': 'Die ganze Antwort kam nicht rechtzeitig. Die Nameserver des Hosts antworteten nicht.',
  'timeout.connect':
    'Die ganze Antwort kam nicht rechtzeitig. Der Empfänger nahm die Verbindung nicht an; vielleicht verwirft eine Firewall unsere Pakete.',
  'timeout.tls': 'Die ganze Antwort kam nicht rechtzeitig. Der TLS-Handschlag kam nicht zu Ende.',
  'timeout.firstByte':
    'Die ganze Antwort kam nicht rechtzeitig. Der Empfänger begann keine Antwort; zuerst antworten, dann arbeiten.',
  'timeout.body':
    'Die ganze Antwort kam nicht rechtzeitig. Der Empfänger begann seine Antwort und brachte sie nicht zu Ende.',
  'audit.genuine-accepted': 'Ein echtes Ereignis wird angenommen.',
  'audit.genuine-refused':
    'Ein echtes Ereignis wird nicht angenommen: prüfen, wie die Unterschrift geprüft wird, dann den Versuch ansehen.',
  'audit.duplicate-accepted':
    'Dasselbe Ereignis ein zweites Mal wird angenommen; es an der msgId erkennen und einmal behandeln.',
  'audit.duplicate-refused':
    'Dasselbe Ereignis ein zweites Mal wird nicht angenommen: auf Bekanntes mit 2xx antworten, sonst kommt es wieder.',
  'audit.forged-accepted':
    'Ein Ereignis mit gefälschter Unterschrift wird angenommen: Jeder kann deinen Bot alles glauben machen.',
  'audit.forged-refused': 'Ein Ereignis mit gefälschter Unterschrift wird nicht angenommen.',
  'audit.stale-accepted':
    'Ein vor 10 Minuten unterschriebenes Ereignis wird angenommen: mehr als 300 s ablehnen, sonst lassen sich alte Anfragen wiederholen.',
  'audit.stale-refused': 'Ein vor 10 Minuten unterschriebenes Ereignis wird nicht angenommen.',
  'signature.past':
    't liegt {age} s in der Vergangenheit; ein Empfänger lehnt mehr als {seconds} s ab. Richtig für eine frühere Anfrage; sonst die Uhr des Empfängers prüfen',
  'signature.future':
    't liegt {age} s in der Zukunft; ein Empfänger lehnt mehr als {seconds} s ab. Richtig für eine frühere Anfrage; sonst die Uhr des Empfängers prüfen',
  'signature.secret-spaces': 'um das Secret stehen Leerzeichen oder ein Zeilenumbruch; ohne sie nehmen',
  'signature.secret-beginning': 'dem Secret fehlt sein Anfang, whsec_; ganz nehmen, wie es gezeigt wurde',
  'signature.other-secret': 'das ist nicht das Webhook-Secret der Anwendung',
  'signature.other-secret-pasted':
    'das ist nicht das Webhook-Secret der Anwendung, mit dem aber unterschrieben wurde',
  'signature.previous-pasted':
    'das ist das Secret vor dem neuesten; v1 macht nur das neueste, auch während beide gelten',
  'signature.previous-used':
    'unterschrieben wurde mit dem vorigen Secret; das eingefügte ist keines der beiden',
  'signature.secret-decoded':
    'das Secret wurde aus base64 dekodiert; v1 nimmt seinen Text, wie er gezeigt wurde',
  'signature.body-spaces': 'um den Inhalt kamen Leerzeichen oder Zeilenumbrüche dazu',
  'signature.body-serialised':
    'der Inhalt wurde gelesen und neu geschrieben; über die rohen Bytes prüfen, vor jedem JSON-Parser',
  'signature.body-changed':
    'der Inhalt ist nicht, was gesendet wurde: neu geschrieben oder geändert; über die rohen Bytes prüfen',
  'signature.other-body': 'der Inhalt ist nicht, was gesendet wurde',
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
  'signature.t-too-fine': 'der Header hat t in Millisekunden oder feiner; unseres ist in Sekunden',
  'signature.t-no-number': 'der Header hat ein t, das keine ganze Zahl von Sekunden ist',
  'signature.no-v1': 'der Header hat kein v1=<64 Hexziffern>',
  'signature.v1-length':
    'der Header hat ein v1 mit {count} statt 64 Hexziffern; ein Teil fehlt oder ist zu viel',
  'signature.v1-no-hex': 'der Header hat ein v1, das keine Hexziffern sind',
  'alert.confirmation-sent':
    'Eine E-Mail mit einem Link ist unterwegs: Warnungen kommen, sobald jemand ihm folgt.',
  'alert.confirmed': 'Die Adresse ist schon bestätigt.',
  'alert.unconfirmed':
    'Die Adresse ist nicht bestätigt: Jemand muss dem Link in der E-Mail folgen, die dorthin ging.',
  'alert.unreadable': 'Die Adresse dieses Kontakts kann nicht gelesen werden: ihn entfernen und neu anlegen.',
  'alert.test-sent': 'Der Test ist gesendet; nachsehen, ob er ankam.',
  'alert.no-mail-server':
    'Auf diesem Server ist kein Mailserver gesetzt (SMTP_URL): Warnungen stehen in seinem Protokoll.',
  'alert.application-deleted': 'Die Anwendung ist gelöscht.',
  'alert.internal': 'Ein Fehler bei uns verhinderte das Senden.',
  'alert.chat-answered': 'Der Chat antwortete {status}.',
  'alert.mail-refused': 'Der Mailserver nahm sie nicht an.',
  'alert.mail-refused-with': 'Der Mailserver nahm sie nicht an ({code}).',
};
