import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { findFreePort } from '#testing/free-port.ts';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { switchOpenId } from '#testing/openid-scene.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { approve, stockClientScene } from '#testing/stock-client-scene.ts';
import { eventually } from '#testing/waits.ts';

/** Unmodified Debian programs that sign people in with OpenID Connect. */
async function scene(t: TestContext) {
  const port = await findFreePort();
  const found = await stockClientScene(t, { at: Date.now(), trustedHosts: [`localhost:${port}`] });
  const { client } = found;
  await switchOpenId(client, true);
  const settings = `/api/console/applications/${client.appId}`;
  return {
    ...found,
    /** The port of the program that people sign in to. */
    port,
    async registers(uris: { redirectUri: string; postLogoutRedirectUri: string }) {
      const { redirectUri, postLogoutRedirectUri } = uris;
      const adds = async (path: string, body: object) =>
        assert.equal((await client.owner.calls('POST', `${settings}${path}`, body)).status, 200);
      await adds('/redirect-uris', { redirectUri });
      await adds('/openid/post-logout-redirect-uris', { postLogoutRedirectUri });
    },
  };
}

const MODULES = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'auth_openidc'];

/** The guide's configuration block with this test's names and secrets. */
async function settingsOf(given: { issuer: string; appId: string; secret: string; site: string }) {
  const guide = await readFile('docs/guide/openid.md', 'utf8');
  const [, block = ''] = /^```apache\n([^`]+)```/m.exec(guide) ?? [];
  return block
    .replaceAll('http://localhost:3000', given.issuer)
    .replaceAll('https://app.example.com', given.site)
    .replace('<App ID>', given.appId)
    .replace('<client secret>', given.secret)
    .replace('<a long random text>', 'of-this-test-alone');
}

/** Apache with one file, for people who have signed in at the issuer. */
async function startApache(t: TestContext, { issuer, client, port }: Awaited<ReturnType<typeof scene>>) {
  const folder = await scratchFolder(t);
  // Apache drops its root privileges.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'pages'));
  await writeFile(join(folder, 'pages/diary.txt'), 'Dear diary');
  await writeFile(join(folder, 'pages/bye.txt'), 'Good bye');
  const site = `http://localhost:${port}`;
  const config = join(folder, 'apache.conf');
  await writeFile(
    config,
    `${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerName localhost
Listen localhost:${port}
User www-data
Group www-data
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
DocumentRoot ${folder}/pages
${await settingsOf({ issuer: issuer.origin, ...client, site })}
OIDCRemoteUserClaim sub
<Location "/bye.txt">
  AuthType None
  Require all granted
</Location>
Header set x-user "%{OIDC_CLAIM_sub}e"
Header set x-access-token "%{OIDC_access_token}e"
`,
  );
  const apache = spawn('apache2', ['-f', config, '-D', 'FOREGROUND'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.after(async () => {
    if (apache.exitCode !== null) return;
    apache.kill();
    await once(apache, 'exit');
  });
  await eventually(() => {
    assert.equal(apache.exitCode, null, 'Apache runs');
    return fetch(`${site}/bye.txt`).catch(() => undefined);
  });
  return site;
}

/** A minimal browser that stores the cookies of one site. */
function createBrowser() {
  const cookies = new Map<string, string>();
  return async (url: string | URL) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    // The global `fetch` would identify itself as a script, which is not redirected to sign in.
    const { statusCode, headers, body } = await request(url, { headers: { cookie, accept: 'text/html' } });
    for (const text of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const { location } = headers;
    const to = typeof location === 'string' ? new URL(location, url) : undefined;
    return { statusCode, headers, text: await body.text(), to };
  };
}

test('Apache’s mod_auth_openidc signs a person in, refreshes, signs out, and is notified of a logout elsewhere', async (t) => {
  const opened = await scene(t);
  const { issuer, person } = opened;
  const site = await startApache(t, opened);
  await opened.registers({ redirectUri: `${site}/callback`, postLogoutRedirectUri: `${site}/bye.txt` });
  const opens = createBrowser();
  const asked = async () =>
    (await opens(`${site}/diary.txt`)).to ?? assert.fail('nobody is asked to sign in');
  const authorization = await asked();
  assert.equal(authorization.origin, issuer.origin);

  const { to } = await opens(await approve(authorization, person));
  assert.equal(to?.href, `${site}/diary.txt`);
  const shown = async () => {
    const { statusCode, headers, text } = await opens(`${site}/diary.txt`);
    assert.deepEqual([statusCode, text], [200, 'Dear diary']);
    assert.equal(headers['x-user'], person.accountId);
    return String(headers['x-access-token']);
  };
  const token = await shown();

  const refresh = new URL(`${site}/callback`);
  refresh.search = new URLSearchParams({ refresh: `${site}/diary.txt`, access_token: token }).toString();
  assert.equal((await opens(refresh)).to?.search, '', 'no error is told');
  assert.notEqual(await shown(), token);

  const bye = `${site}/bye.txt`;
  const { to: out = assert.fail() } = await opens(`${site}/callback?${new URLSearchParams({ logout: bye })}`);
  assert.equal(out.origin, issuer.origin);
  const left = await fetch(out, { headers: { cookie: person.cookie }, redirect: 'manual' });
  assert.deepEqual([left.status, left.headers.get('location')], [303, bye]);

  const { world, client } = opened;
  const grace = await world.person('Grace');
  await opens(await approve(await asked(), grace));
  assert.equal((await opens(`${site}/diary.txt`)).text, 'Dear diary');
  const path = `/api/console/applications/${client.appId}/openid/backchannel-logout-uri`;
  const backchannelLogoutUri = `${site}/callback?logout=backchannel`;
  const set = await client.owner.calls('PUT', path, { backchannelLogoutUri });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  await world.oauth.revokeConnection(grace.accountId, { appId: client.appId });
  assert.equal(await world.oauth.openId.sendLogouts(), 1);
  assert.equal((await asked()).origin, issuer.origin, 'the session at Apache has ended');
});

const AUTHLIB = `
import json, sys, requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken

issuer, client_id, client_secret, redirect_uri = sys.argv[1:]
provider = requests.get(issuer + '/.well-known/openid-configuration').json()
keys = JsonWebKey.import_key_set(requests.get(provider['jwks_uri']).json())
session = OAuth2Session(client_id, client_secret, scope='openid profile', redirect_uri=redirect_uri, code_challenge_method='S256')
verifier = 'v' * 50

def tell(what):
    print(json.dumps(what), flush=True)

def read(token, **params):
    claims = jwt.decode(token['id_token'], keys, claims_cls=CodeIDToken, claims_params=params,
        claims_options={'iss': {'value': issuer}, 'aud': {'value': client_id}})
    claims.validate()
    return claims['sub']

url, state = session.create_authorization_url(provider['authorization_endpoint'], nonce='abc', code_verifier=verifier)
tell(url)
token = session.fetch_token(provider['token_endpoint'], authorization_response=input(), code_verifier=verifier)
tell([read(token, nonce='abc', access_token=token['access_token']), session.get(provider['userinfo_endpoint']).json()['name']])
renewed = session.refresh_token(provider['token_endpoint'], refresh_token=token['refresh_token'])
tell(read(renewed))
tell(requests.Request('GET', provider['end_session_endpoint'], params={'id_token_hint': renewed['id_token']}).prepare().url)
`;

test('Python’s Authlib signs a person in, verifies what it gets, refreshes and signs out', async (t) => {
  const { issuer, client, person } = await scene(t);
  const python = spawn(
    '/usr/bin/python3',
    ['-c', AUTHLIB, issuer.origin, client.appId, client.secret, REDIRECT_URI],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  t.after(() => python.kill());
  const lines = python.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false });
  let text = '';
  const told = async () => {
    while (!text.includes('\n')) {
      const { value, done } = await lines.next();
      if (done) assert.fail('Authlib has stopped');
      text += value;
    }
    const [line = '', ...rest] = text.split('\n');
    text = rest.join('\n');
    return JSON.parse(line);
  };
  const back = await approve(new URL(await told()), person);
  python.stdin.write(`${back}\n`);
  assert.deepEqual(await told(), [person.accountId, 'Ada']);
  assert.equal(await told(), person.accountId);
  const left = await fetch(await told(), { headers: { cookie: person.cookie } });
  assert.match(await left.text(), /You are signed out/);
});
