/** Findings about receivers, signatures and alerts, for the console. */
export const FINDINGS = {
  'The request could not be made because of a fault on our side; it is tried again.':
    'Die Anfrage scheiterte an einem Fehler bei uns; sie wird wiederholt.',
  'The stored event cannot be read: it is damaged, or its encryption key is missing. The operator of this server can find it in the log.':
    'Das gespeicherte Ereignis kann nicht gelesen werden: Es ist beschädigt, oder sein Schlüssel fehlt. Der Betreiber dieses Servers findet es im Protokoll.',
  'The address of this contact cannot be read: remove the contact and add it again.':
    'Die Adresse dieses Kontakts kann nicht gelesen werden: ihn entfernen und neu anlegen.',
  'The webhook URL cannot be read, so nothing can be sent: set it again.':
    'Die Webhook-Adresse kann nicht gelesen werden, also lässt sich nichts senden: sie noch einmal setzen.',
  'The webhook secret cannot be read, so nothing can be signed: make a new secret.':
    'Das Webhook-Secret kann nicht gelesen werden, also lässt sich nichts unterschreiben: ein neues erzeugen.',
  'The receiver answered with a redirect ({status}); none is followed: set the final address as webhook URL.':
    'Der Empfänger antwortete mit einer Weiterleitung ({status}); keiner wird gefolgt: die endgültige Adresse als Webhook-Adresse setzen.',
  'The receiver answered {status}: {advice}': 'Der Empfänger antwortete {status}: {advice}',
  'let the path of the webhook in without a login or firewall rule; its signature tells that it is us.':
    'den Pfad des Webhooks ohne Anmeldung und Firewall-Regel einlassen; die Unterschrift zeigt, dass wir es sind.',
  'Not sent: the attempts before this one all failed. One event at a time is sent until the receiver answers 2xx.':
    'Nicht gesendet: Alle Versuche davor sind fehlgeschlagen. Es wird ein Ereignis nach dem anderen gesendet, bis der Empfänger mit 2xx antwortet.',
  'nothing is served at the path of the webhook URL; check it.':
    'am Pfad der Webhook-Adresse ist nichts; Adresse prüfen.',
  'the path of the webhook URL does not take POST.': 'der Pfad der Webhook-Adresse nimmt kein POST.',
  'allow bodies of at least 64 KiB.': 'Inhalte von mindestens 64 KiB zulassen.',
  'it asks for fewer requests; answer 2xx at once and do the work later.':
    'er verlangt weniger Anfragen; sofort mit 2xx antworten und die Arbeit später tun.',
  'it failed while handling the event; its own log tells why.':
    'er scheiterte am Ereignis; sein eigenes Protokoll sagt, woran.',
  'only 2xx counts as delivered.': 'nur 2xx gilt als zugestellt.',

  'The URL is no longer acceptable.': 'Die Adresse ist nicht mehr zulässig.',
  'The host name does not resolve; check its DNS records.':
    'Der Hostname lässt sich nicht auflösen; DNS-Einträge prüfen.',
  'The host name leads to a private, local or otherwise reserved address; only public ones are called.':
    'Der Hostname führt zu einer privaten, lokalen oder reservierten Adresse; nur öffentliche werden angesprochen.',
  'No connection could be made; check that the receiver is running and that its firewall lets us in.':
    'Es kam keine Verbindung zustande; prüfen, ob der Empfänger läuft und die Firewall uns einlässt.',
  'The certificate has expired or is not valid yet; renew it and check the clock of the machine.':
    'Das Zertifikat ist abgelaufen oder noch nicht gültig; erneuern und die Uhr der Maschine prüfen.',
  'The certificate was made for other host names; get one for the host in the URL.':
    'Das Zertifikat gilt für andere Hostnamen; eines für den Host der Adresse besorgen.',
  'The certificate is self-signed or of an unknown authority; use a public one and send its intermediates along.':
    'Das Zertifikat ist selbst unterschrieben oder von unbekannter Stelle; ein öffentliches nehmen und die Zwischenzertifikate mitsenden.',
  'No TLS connection could be made; check that the port speaks TLS 1.2 or later and asks no client certificate.':
    'Es kam keine TLS-Verbindung zustande; der Port muss TLS 1.2 oder neuer sprechen und darf kein Client-Zertifikat verlangen.',
  'The whole answer did not arrive in time.': 'Die ganze Antwort kam nicht rechtzeitig.',
  'The whole answer did not arrive in time. {where}': 'Die ganze Antwort kam nicht rechtzeitig. {where}',
  'The receiver closed the connection before its answer was complete.':
    'Der Empfänger schloss die Verbindung, bevor seine Antwort vollständig war.',
  'The answer is not valid HTTP/1.1.': 'Die Antwort ist kein gültiges HTTP/1.1.',
  'The headers of the answer are too large.': 'Die Header der Antwort sind zu groß.',
  'The name servers of the host gave no answer.': 'Die Nameserver des Hosts antworteten nicht.',
  'The receiver did not accept the connection; a firewall may drop our packets.':
    'Der Empfänger nahm die Verbindung nicht an; vielleicht verwirft eine Firewall unsere Pakete.',
  'The TLS handshake did not finish.': 'Der TLS-Handschlag kam nicht zu Ende.',
  'The receiver did not begin its answer; answer first, then do the work.':
    'Der Empfänger begann keine Antwort; zuerst antworten, dann arbeiten.',
  'The receiver began its answer and did not finish it.':
    'Der Empfänger begann seine Antwort und brachte sie nicht zu Ende.',

  'A genuine event is accepted.': 'Ein echtes Ereignis wird angenommen.',
  'A genuine event is not accepted: check how the signature is verified, then look at the attempt.':
    'Ein echtes Ereignis wird nicht angenommen: prüfen, wie die Unterschrift geprüft wird, dann den Versuch ansehen.',
  'The same event a second time is accepted; handle it once, by its msgId.':
    'Dasselbe Ereignis ein zweites Mal wird angenommen; es an der msgId erkennen und einmal behandeln.',
  'The same event a second time is not accepted: answer 2xx to what you know already, or it comes again.':
    'Dasselbe Ereignis ein zweites Mal wird nicht angenommen: auf Bekanntes mit 2xx antworten, sonst kommt es wieder.',
  'An event with a forged signature is accepted: anybody can make your bot believe anything.':
    'Ein Ereignis mit gefälschter Unterschrift wird angenommen: Jeder kann deinen Bot alles glauben machen.',
  'An event with a forged signature is not accepted.':
    'Ein Ereignis mit gefälschter Unterschrift wird nicht angenommen.',
  'An event signed 10 minutes ago is accepted: refuse more than 300 s, or old requests can be replayed.':
    'Ein vor 10 Minuten unterschriebenes Ereignis wird angenommen: mehr als 300 s ablehnen, sonst lassen sich alte Anfragen wiederholen.',
  'An event signed 10 minutes ago is not accepted.':
    'Ein vor 10 Minuten unterschriebenes Ereignis wird nicht angenommen.',

  't is {where}; a receiver refuses more than {seconds} s. Right for a request from earlier; else check the clock of the receiver':
    't liegt {where}; ein Empfänger lehnt mehr als {seconds} s ab. Richtig für eine frühere Anfrage; sonst die Uhr des Empfängers prüfen',
  '{seconds} s in the past': '{seconds} s in der Vergangenheit',
  '{seconds} s in the future': '{seconds} s in der Zukunft',
  'the secret has spaces or a line break around it; take it without':
    'um das Secret stehen Leerzeichen oder ein Zeilenumbruch; ohne sie nehmen',
  'the secret lacks its beginning, whsec_; use it whole, as it was displayed':
    'dem Secret fehlt sein Anfang, whsec_; ganz nehmen, wie es gezeigt wurde',
  "this is not the application's webhook secret": 'das ist nicht das Webhook-Secret der Anwendung',
  "this is not the application's webhook secret, and the signature was made with that":
    'das ist nicht das Webhook-Secret der Anwendung, mit dem aber unterschrieben wurde',
  'this is the secret before the newest; v1 is made with the newest alone, also while the two overlap':
    'das ist das Secret vor dem neuesten; v1 macht nur das neueste, auch während beide gelten',
  'the signature was made with the secret before; the pasted one is neither of the two':
    'unterschrieben wurde mit dem vorigen Secret; das eingefügte ist keines der beiden',
  'the secret was decoded from base64; v1 is keyed with its text as it was displayed':
    'das Secret wurde aus base64 dekodiert; v1 nimmt seinen Text, wie er gezeigt wurde',
  'spaces or line breaks were added around the body':
    'um den Inhalt kamen Leerzeichen oder Zeilenumbrüche dazu',
  'the body was parsed and serialised again; verify over the raw bytes, before any JSON parser':
    'der Inhalt wurde gelesen und neu geschrieben; über die rohen Bytes prüfen, vor jedem JSON-Parser',
  'the body is not what was sent: it was parsed and serialised again, or changed; verify over the raw bytes':
    'der Inhalt ist nicht, was gesendet wurde: neu geschrieben oder geändert; über die rohen Bytes prüfen',
  'the body is not what was sent': 'der Inhalt ist nicht, was gesendet wurde',
  'v1 was not made by us for this event at t: the header was changed or forged, or the secret has been replaced since':
    'v1 ist nicht von uns für dieses Ereignis zur Zeit t: der Header wurde geändert oder gefälscht, oder das Secret wurde seither ersetzt',
  'v1 does not belong to this body, t and secret: the body was changed, or the header was forged':
    'v1 gehört nicht zu diesem Inhalt, t und Secret: der Inhalt wurde geändert, oder der Header gefälscht',
  'the header {fault}': 'der Header {fault}',
  'is the webhook-signature of Standard Webhooks; paste the value of X-Service-Signature':
    'ist die webhook-signature der Standard Webhooks; den Wert von X-Service-Signature einfügen',
  'must have neither spaces nor capitals: t=…,v1=… was changed on its way':
    'darf weder Leerzeichen noch Großbuchstaben haben: t=…,v1=… wurde unterwegs geändert',
  'must have the form t=<unix seconds>,v1=<64 hex digits>':
    'muss die Form t=<Unix-Sekunden>,v1=<64 Hexziffern> haben',
  'must have the form t=<unix seconds>,v1=<64 hex digits> and nothing else':
    'muss die Form t=<Unix-Sekunden>,v1=<64 Hexziffern> haben und sonst nichts',
  'has no t=<unix seconds>': 'hat kein t=<Unix-Sekunden>',
  'has t in milliseconds or finer; ours is in seconds':
    'hat t in Millisekunden oder feiner; unseres ist in Sekunden',
  'has a t that is no whole number of seconds': 'hat ein t, das keine ganze Zahl von Sekunden ist',
  'has no v1=<64 hex digits>': 'hat kein v1=<64 Hexziffern>',
  'has a v1 of {count} instead of 64 hex digits; part of it is missing or too much':
    'hat ein v1 mit {count} statt 64 Hexziffern; ein Teil fehlt oder ist zu viel',
  'has a v1 that is not hex': 'hat ein v1, das keine Hexziffern sind',

  'A mail with a link is on its way: alerts come once somebody follows it.':
    'Eine E-Mail mit einem Link ist unterwegs: Warnungen kommen, sobald jemand ihm folgt.',
  'The address is confirmed already.': 'Die Adresse ist schon bestätigt.',
  'The address is not confirmed: somebody has to follow the link in the mail that was sent there.':
    'Die Adresse ist nicht bestätigt: Jemand muss dem Link in der E-Mail folgen, die dorthin ging.',
  'The test is sent; look whether it arrived.': 'Der Test ist gesendet; nachsehen, ob er ankam.',
  'This server has no mail server set (SMTP_URL): alerts go to its log.':
    'Auf diesem Server ist kein Mailserver gesetzt (SMTP_URL): Warnungen stehen in seinem Protokoll.',
  'The application is deleted.': 'Die Anwendung ist gelöscht.',
  'A fault on our side kept it from being sent.': 'Ein Fehler bei uns verhinderte das Senden.',
  'The chat answered {status}.': 'Der Chat antwortete {status}.',
  'The mail server did not take it{said}.': 'Der Mailserver nahm sie nicht an{said}.',
};
