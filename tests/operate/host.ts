/**
 * `npm run check:host`: runs the commands of the documentation that change a machine, as root, page after page, on a copy of this
 * one: in a mount namespace whose /etc, /var and /opt are gone when it ends. No systemd runs there: `systemctl` enables units, and what
 * it would start is started here, as the unit says. Debian: nginx-light, caddy, sudo, fail2ban, prometheus (promtool).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readNamedFiles } from '../guide/pages.ts';
import { SYSTEM_PATH } from '../sdk/runtimes.ts';
import { readCommandBlocks } from './doc-commands.ts';

if (spawnSync('unshare', ['--mount', 'true']).status !== 0) {
  console.log('not run: only root may have a file system of its own, and not in every container');
  process.exit();
}

const TESTING = 'docs/guide/testing.md';
const pages = globSync('docs/{guide,operate}/*.md');
const blocks = (await readCommandBlocks(pages)).filter(({ isForHost }) => isForHost);

/** The commands of the block that begins with, or contains, these words. */
function block(words: string): string {
  const found = blocks.find(({ commands }) => commands.includes(words));
  if (!found) throw new Error(`no block has ${words}`);
  blocks.splice(blocks.indexOf(found), 1);
  return `echo '# ${found.page}:${found.line}'\n${found.commands}`;
}

/** Prints the block of a page that begins with this line. */
const shown = (file: string, firstLine: string) =>
  `sed --quiet '/^${firstLine}$/,/^\`\`\`$/p' ${resolve(file)} | grep --invert-match '^\`\`\`$'`;

const machine = mkdtempSync(join(tmpdir(), 'parley-host-'));
process.on('exit', () => rmSync(machine, { recursive: true, force: true }));
execFileSync('git', ['clone', '--quiet', '.', join(machine, 'parley')]);
for (const { name, text } of await readNamedFiles([TESTING])) writeFileSync(join(machine, name), text);

const COPY_OF_THE_MACHINE = `
mkdir ${machine}/layers
mount -t tmpfs tmpfs ${machine}/layers
for folder in etc var opt; do
  mkdir -p ${machine}/layers/$folder/upper ${machine}/layers/$folder/work
  mount -t overlay -o lowerdir=/$folder,upperdir=${machine}/layers/$folder/upper,workdir=${machine}/layers/$folder/work overlay /$folder
done
mkdir -p /opt/parley
mount --bind ${machine}/parley /opt/parley
`;

/** `enable` is systemd's own; `unit` starts one of our units as its user, with its settings. */
const UNITS = `
systemctl() {
  case "$*" in
    'enable --now '*) command systemctl enable "$3" ;;
    start* | reload*) echo "not done without systemd: $*" ;;
    *) command systemctl "$@" ;;
  esac
}
unit() {
  local file=/etc/systemd/system/$1 folder
  for folder in $(sed --quiet 's/^StateDirectory=//p' $file); do install --directory --mode=0700 --owner=parley --group=parley /var/lib/$folder; done
  local command=$(sed --quiet 's/^ExecStart=//p' $file | sed 's/%%/%/g')
  local settings=$({ sed --quiet 's/^Environment=//p' $file; cat /etc/parley/parley.env; } | tr '\\n' ' ')
  cd $(sed --quiet 's/^WorkingDirectory=//p' $file)
  eval "exec setpriv --reuid parley --regid parley --init-groups env -i PATH=$PATH HOME=/var/lib/parley $settings $command"
}
`;

/** The steps that need only their own network, in which every port is free. */
const ALONE = `
ip link set lo up
(unit parley.service > /var/log/parley/parley.log 2>&1) & server=$!
trap 'nginx -s stop || true; kill $server; wait $server || true' EXIT
until grep 'is ready' /var/log/parley/parley.log; do kill -0 $server || { cat /var/log/parley/parley.log; exit 1; }; sleep 0.2; done
grep --quiet 'enabled' <<< "$(systemctl is-enabled parley.service)"

echo '127.0.0.1 chat.example.com' >> /etc/hosts
mkdir -p /etc/letsencrypt/live/chat.example.com
cd /etc/letsencrypt/live/chat.example.com
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=chat.example.com -addext subjectAltName=DNS:chat.example.com \\
  -keyout privkey.pem -out fullchain.pem 2> /dev/null
export CURL_CA_BUNDLE=$PWD/fullchain.pem
cd /opt/parley
rm --force /etc/nginx/sites-enabled/default
(${block('/etc/nginx/conf.d/parley.conf')})
nginx
curl -fsS https://chat.example.com/health/ready
curl -sS -X DELETE https://chat.example.com/v1/stories/delete -H 'content-type: application/json' -d '{}' | grep '"status":"error"'
(${block('/etc/caddy/Caddyfile')})

(${block('server/cli.ts doctor')}) | tee doctor.txt || true
grep chat.example.com doctor.txt

curl -sS https://chat.example.com/api/auth/sign-in -H 'content-type: application/json' -d '{"email":"a@example.com","password":"wrong"}'
(${block('promtool check')})
rm --force /etc/fail2ban/jail.d/defaults-debian.conf
${shown('docs/operate/monitoring.md', '\\[parley\\]')} > /etc/fail2ban/jail.d/parley.conf
(${block('fail2ban-regex')}) | tee fail2ban.txt
grep ', 1 matched' fail2ban.txt
fail2ban-client -t

(${block('backup.passphrase')})
grep --quiet 'enabled' <<< "$(systemctl is-enabled parley-backup.timer)"
(unit parley-backup.service)
ls /var/lib/parley-backups/*.backup
`;

/** A developer's folder, beside a server that offers the packages. */
const TESTING_A_BOT = `
mkdir ${machine}/bot
cd ${machine}/bot
mv ../bot.test.mjs .
echo '{}' > package.json
(cd /opt/parley && PORT=0 DATA_DIR=${machine}/data exec node_modules/.bin/node server/main.ts > ${machine}/server.log 2>&1) & server=$!
until grep --quiet 'is ready' ${machine}/server.log; do kill -0 $server; sleep 0.2; done
address=$(grep --only-matching --max-count=1 'http://localhost:[0-9]*' ${machine}/server.log | head -1)
${block('parley-testing.tgz').replaceAll('http://localhost:3000', '$address')}
node --test
kill $server || true
wait $server || true
`;

const SCRIPT = `
${COPY_OF_THE_MACHINE}
${UNITS}
mkdir -p /var/log/parley
(${block('useradd')})
cd /opt/parley
(${block('deploy/keys')})
${TESTING_A_BOT}export -f unit systemctl
unshare --net bash -euo pipefail -c "$ALONE"
`;

const { status } = spawnSync('unshare', ['--mount', 'bash', '-euo', 'pipefail', '-c', SCRIPT], {
  stdio: 'inherit',
  env: { PATH: SYSTEM_PATH, HOME: process.env['HOME'], SYSTEMD_OFFLINE: '1', ALONE },
});
if (blocks.length > 0)
  console.error(`not run: ${blocks.map(({ page, line }) => `${page}:${line}`).join(', ')}`);
process.exitCode = status === 0 && blocks.length === 0 ? 0 : 1;
