/** Messages of the console and the event log about attempts, receivers, signatures and alerts. */
export const FINDINGS = {
  'attempt.internal': 'The request could not be made because of a fault on our side; it is retried.',
  'attempt.unreadable-event':
    'The stored event cannot be read: it is damaged, or its encryption key is missing. The operator of this server can find it in the log.',
  'attempt.unreadable-url': 'The webhook URL cannot be read, so nothing can be sent: set it again.',
  'attempt.unreadable-secret':
    'The webhook secret cannot be read, so nothing can be signed: make a new secret.',
  'attempt.bot-failed':
    'The bot fetched the event and abandoned it after {attempts|attempt|attempts}: {error}.',
  'attempt.circuit-open':
    'Not sent: the attempts before this one all failed. One event at a time is sent until the receiver answers 2xx.',
  'attempt.redirect':
    'The receiver answered with a redirect ({status}), which is not followed: set the final address as webhook URL.',
  'attempt.unauthorised':
    'The receiver answered {status}: it probably has another webhook secret, or parsed the body before it verified the signature. Otherwise a login or firewall rule stands in front of the webhook path.',
  'attempt.nothing-there':
    'The receiver answered {status}: nothing is served at the path of the webhook URL; check it.',
  'attempt.no-post': 'The receiver answered {status}: the path of the webhook URL does not accept POST.',
  'attempt.body-too-large': 'The receiver answered {status}: allow bodies of at least 64 KiB.',
  'attempt.too-many':
    'The receiver answered {status}: it limits requests; answer 2xx at once and do the work later.',
  'attempt.receiver-failed':
    'The receiver answered {status}: it failed while handling the event; see its log.',
  'attempt.not-2xx': 'The receiver answered {status}: only 2xx counts as delivered.',
  'failure.dns': 'The host name does not resolve; check its DNS records.{code}',
  'failure.private_address':
    'The host name resolves to a private, local or otherwise reserved address; only public ones are called.{code}',
  'failure.connect':
    'No connection could be made; check that the receiver is running and that its firewall allows our requests.{code}',
  'failure.tls_expired':
    'The certificate has expired or is not valid yet; renew it and check the clock of the machine.{code}',
  'failure.tls_name': 'The certificate was made for other host names; get one for the host in the URL.{code}',
  'failure.tls_untrusted':
    'The certificate is self-signed or of an unknown authority; use a public one and send its intermediates with it.{code}',
  'failure.tls':
    'No TLS connection could be made; check that the port supports TLS 1.2 or later and requires no client certificate.{code}',
  'failure.reset': 'The receiver closed the connection before its answer was complete.{code}',
  'failure.protocol': 'The answer is not valid HTTP/1.1.{code}',
  'failure.too_large': 'The headers of the answer are too large.{code}',
  'timeout.url': 'The whole answer did not arrive in time.',
  'timeout.dns': 'The whole answer did not arrive in time. The name servers of the host did not answer.',
  'timeout.connect':
    'The whole answer did not arrive in time. The receiver did not accept the connection; a firewall may drop our packets.',
  'timeout.tls': 'The whole answer did not arrive in time. The TLS handshake did not finish.',
  'timeout.firstByte':
    'The whole answer did not arrive in time. The receiver did not begin its answer; answer first, then do the work.',
  'timeout.body':
    'The whole answer did not arrive in time. The receiver began its answer but did not finish it.',
  'audit.genuine-accepted': 'A genuine event is accepted.',
  'audit.genuine-refused':
    'A genuine event is not accepted: check how the signature is verified, then look at the attempt.',
  'audit.duplicate-accepted': 'The same event a second time is accepted; handle it once, by its msgId.',
  'audit.duplicate-refused':
    'The same event a second time is not accepted: answer 2xx to duplicates, or they are sent again.',
  'audit.forged-accepted':
    'An event with a forged signature is accepted: anybody can send your bot false events.',
  'audit.forged-refused': 'An event with a forged signature is not accepted.',
  'audit.stale-accepted':
    'An event signed 10 minutes ago is accepted: refuse more than 300 s, or old requests can be replayed.',
  'audit.stale-refused': 'An event signed 10 minutes ago is not accepted.',
  'signature.past':
    't is {age} s in the past; a receiver refuses more than {seconds} s. This is right for an earlier request; otherwise check the clock of the receiver',
  'signature.future':
    't is {age} s in the future; a receiver refuses more than {seconds} s. This is right for an earlier request; otherwise check the clock of the receiver',
  'signature.secret-spaces': 'the secret has spaces or a line break around it; remove them',
  'signature.secret-beginning': 'the secret lacks the prefix whsec_; use the whole text as displayed',
  'signature.other-secret': "this is not the application's webhook secret",
  'signature.other-secret-pasted':
    "this is not the application's webhook secret, but the signature was made with the right one",
  'signature.previous-pasted':
    'this is the previous secret; v1 is made only with the newest, even while the two overlap',
  'signature.previous-used':
    'the signature was made with the previous secret; the pasted one is neither of the two',
  'signature.secret-decoded': 'the secret was decoded from base64; v1 is keyed with its text as displayed',
  'signature.body-spaces': 'spaces or line breaks were added around the body',
  'signature.body-serialised':
    'the body was parsed and serialised again; verify over the raw bytes, before any JSON parser',
  'signature.body-changed':
    'the body is not what was sent: it was parsed and serialised again, or changed; verify over the raw bytes',
  'signature.other-body': 'the body is not what was sent',
  'signature.not-for-event':
    'v1 was not made by us for this event at t: the header was changed or forged, or the secret has been replaced since',
  'signature.not-for-body':
    'v1 does not belong to this body, t and secret: the body was changed, or the header was forged',
  'signature.standard-webhooks':
    'the header is the webhook-signature of Standard Webhooks; paste the value of X-Service-Signature',
  'signature.header-untidy':
    'the header must have neither spaces nor capitals: t=…,v1=… was changed in transit',
  'signature.header-form': 'the header must have the form t=<unix seconds>,v1=<64 hex digits>',
  'signature.header-more':
    'the header must have the form t=<unix seconds>,v1=<64 hex digits> and nothing else',
  'signature.no-t': 'the header has no t=<unix seconds>',
  'signature.t-too-fine': 'the header has t in milliseconds or a smaller unit; it must be in seconds',
  'signature.t-no-number': 'the header has a t that is not a whole number of seconds',
  'signature.no-v1': 'the header has no v1=<64 hex digits>',
  'signature.v1-length':
    'the header has a v1 of {count} instead of 64 hex digits; it is truncated or has extra digits',
  'signature.v1-no-hex': 'the header has a v1 that is not hex',
  'alert.confirmation-sent': 'A mail with a link has been sent: alerts start once somebody follows it.',
  'alert.confirmed': 'The address is already confirmed.',
  'alert.unconfirmed':
    'The address is not confirmed: somebody has to follow the link in the mail that was sent there.',
  'alert.unreadable': 'The address of this contact cannot be read: remove the contact and add it again.',
  'alert.test-sent': 'The test has been sent; check whether it arrived.',
  'alert.no-mail-server': 'This server has no mail server (SMTP_URL): alerts are written to its log.',
  'alert.application-deleted': 'The application is deleted.',
  'alert.internal': 'It could not be sent because of a fault on our side.',
  'alert.chat-answered': 'The chat answered {status}.',
  'alert.mail-refused': 'The mail server did not accept it.',
  'alert.mail-refused-with': 'The mail server did not accept it ({code}).',
} as const;
