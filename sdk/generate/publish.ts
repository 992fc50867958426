/**
 * `npm run publish:sdk`, in a GitHub or GitLab pipeline: builds the package and publishes it with provenance. Arguments after
 * `--` go to `npm publish`. npm compares the repository named in the package with that of the pipeline, so it is taken from
 * there: a fork publishes under its own name.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from './package.ts';

const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, CI_PROJECT_URL } = process.env;
const home = GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : CI_PROJECT_URL;
if (!home) {
  console.error(
    'npm attests to the origin of packages from GitHub Actions and GitLab CI only: publish there.',
  );
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'parley-sdk-publish-'));
try {
  buildPackage(folder);
  const manifest = join(folder, 'package.json');
  const named = {
    ...JSON.parse(readFileSync(manifest, 'utf8')),
    repository: { type: 'git', url: `git+${home}.git`, directory: 'sdk' },
    homepage: `${home}/tree/HEAD/sdk#readme`,
    bugs: `${home}/issues`,
  };
  writeFileSync(manifest, `${JSON.stringify(named, undefined, 2)}\n`);
  process.exitCode =
    spawnSync('npm', ['publish', folder, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
