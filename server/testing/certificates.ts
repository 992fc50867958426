import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  contextual,
  DNS_NAME,
  IP_ADDRESS,
  implicit,
  integer,
  KEY_IDENTIFIER,
  octetString,
  oid,
  sequence,
  set,
  TRUE,
  utcTime,
  utf8,
} from './der.ts';

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

/** PEM texts, as `tls.createServer` takes them. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority {
  /** The authority's own certificate, for `WEBHOOK_CA_FILE` or `extraAuthorities`. */
  pem: string;
  issue(wanted: Wanted): Certificate;
}

export interface Wanted {
  /** Host names and IPv4 addresses. */
  hosts: readonly string[];
  validFrom?: Date;
  validUntil?: Date;
}

interface Issuer {
  name: string;
  key: KeyObject;
  publicKey: KeyObject;
}

/** A certificate authority that is valid for the duration of the test. */
export function createAuthority(): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: `Test authority ${randomBytes(4).toString('hex')}`, key: privateKey, publicKey };
  const keyCertSign = bitString(Buffer.from([0x04]), 2);
  const extensions = [
    extension('2.5.29.19', sequence(TRUE), { isCritical: true }),
    extension('2.5.29.15', keyCertSign, { isCritical: true }),
  ];
  return {
    pem: toPem(certify({ issuer, subject: issuer.name, publicKey, extensions })),
    issue: (wanted) => issueLeaf(wanted, issuer),
  };
}

/** A self-signed certificate. */
export function createSelfSigned(wanted: Wanted): Certificate {
  return issueLeaf(wanted);
}

function issueLeaf({ hosts, ...validity }: Wanted, authority?: Issuer): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = hosts[0] ?? 'nobody';
  const issuer = authority ?? { name: subject, key: privateKey, publicKey };
  const extensions = [extension('2.5.29.17', sequence(...hosts.map(alternativeName)))];
  return {
    cert: toPem(certify({ issuer, subject, publicKey, extensions, ...validity })),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Statement {
  issuer: Issuer;
  subject: string;
  publicKey: KeyObject;
  extensions: Buffer[];
  validFrom?: Date;
  validUntil?: Date;
}

/** RFC 5280 §4.1. */
function certify({ issuer, subject, publicKey, extensions, ...validity }: Statement): Buffer {
  const from = validity.validFrom ?? new Date(Date.now() - DAY_MS);
  const until = validity.validUntil ?? new Date(Date.now() + DAY_MS);
  const statement = sequence(
    contextual(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    sequence(utcTime(from), utcTime(until)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    contextual(3, sequence(...keyIdentifiers(publicKey, issuer.publicKey), ...extensions)),
  );
  return sequence(statement, ECDSA_WITH_SHA256, bitString(sign('sha256', statement, issuer.key)));
}

/** Strict verifiers require both. */
function keyIdentifiers(own: KeyObject, issuer: KeyObject): Buffer[] {
  return [
    extension('2.5.29.14', octetString(fingerprint(own))),
    extension('2.5.29.35', sequence(implicit(KEY_IDENTIFIER, fingerprint(issuer)))),
  ];
}

function fingerprint(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(name))));
}

function alternativeName(host: string): Buffer {
  return isIPv4(host)
    ? implicit(IP_ADDRESS, Buffer.from(host.split('.').map(Number)))
    : implicit(DNS_NAME, Buffer.from(host));
}

function extension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  return sequence(oid(id), ...(isCritical ? [TRUE] : []), octetString(value));
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
