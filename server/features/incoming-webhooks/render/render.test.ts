import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFormatted, plainText } from '#contract/formatting.ts';
import { LIMITS } from '#contract/limits.ts';
import { Fields } from './json.ts';
import { literal } from './markdown.ts';
import { type Posted, renderPosted } from './render.ts';

const lines = (posted: Posted, event?: string) => renderPosted(posted, event).split('\n');

test('Slack’s text becomes the chat’s Markdown', () => {
  const cases: [slack: string, shown: string][] = [
    ['*bold* and _slanted_ and ~struck~', '**bold** and _slanted_ and ~~struck~~'],
    ['2*3*4 and a * b * c', '2*3*4 and a * b * c'],
    ['see <https://a.example/x_y*z|the *page*>', 'see [the *page*](https://a.example/x%5Fy%2Az)'],
    ['<https://a.example/?a=1&amp;b=2>', 'https://a.example/?a=1&b=2'],
    [
      '<mailto:ada@a.example|Ada> <!here> <!subteam^S1|@ops> <@U1|ada> <#C1|general>',
      'Ada @here @ops @ada #general',
    ],
    ['<!date^1392734382^{date}|18 February>', '18 February'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['`*as it is* &lt;b&gt;` *b*', '`*as it is* <b>` **b**'],
    ['<javascript:alert(1)|click>', 'click'],
    ['a [Markdown](https://a.example) link', 'a [Markdown](https://a.example) link'],
    ['_*both*_ ~*both*~ *~both~* ~*_all_*~', '_**both**_ ~~**both**~~ **~~both~~** ~~**_all_**~~'],
    ['**no Slack** ~~neither~~', '**no Slack** ~~neither~~'],
    ['<https://a.example/__init__.py> <ftp://b.example/>', 'https://a.example/__init__.py ftp://b.example/'],
    ['<skype:ada> <b>', 'skype:ada <b>'],
    ['`curl <https://a.example/x>` `<tel:1.5|1.5> <b>`', '`curl https://a.example/x` `1.5 <b>`'],
  ];
  for (const [slack, shown] of cases) assert.equal(renderPosted({ text: slack }), shown);
});

test('Slack’s attachments show their text', () => {
  const attachment = {
    fallback: 'never shown',
    pretext: 'before',
    title: 'Disk full',
    title_link: 'https://a.example/1',
    text: '*97 %* used',
    fields: [{ title: 'host', value: 'db1' }, 'no field', { value: 'alone' }],
    actions: [{ type: 'button', text: 'Runbook', url: 'https://a.example/2' }, { text: 'Acknowledge' }],
    footer: 'Alertmanager',
  };
  assert.deepEqual(lines({ text: 'hello', attachments: [attachment, { fallback: 'plain' }] }), [
    'hello',
    '',
    'before',
    '**[Disk full](https://a.example/1)**',
    '**97 %** used',
    '**host:** db1',
    'alone',
    '[Runbook](https://a.example/2)',
    'Alertmanager',
    '',
    'plain',
  ]);
});

test('the text of Slack’s blocks is shown instead of `text`', () => {
  const say = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });
  const rich = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          say('now '),
          say('bold ', { bold: true }),
          { type: 'link', url: 'https://a.example', text: 'here' },
          { type: 'emoji', name: 'tada', unicode: '1f389' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: ['one', 'two'].map((word) => ({ type: 'rich_text_section', elements: [say(word)] })),
      },
      { type: 'rich_text_preformatted', elements: [say('a *b*')] },
    ],
  };
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Release *1*' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*done* by <@U1|ada>' },
      fields: [{ type: 'plain_text', text: '*as it is*' }],
    },
    { type: 'divider' },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'built' },
        { type: 'image', image_url: 'https://a.example/i.png', alt_text: 'a map' },
      ],
    },
    { type: 'input', label: { type: 'plain_text', text: 'left out' } },
    rich,
  ];
  assert.deepEqual(lines({ text: 'for notifications', blocks }), [
    '**Release \\*1\\***',
    '',
    '**done** by @ada',
    '\\*as it is\\*',
    '',
    '———',
    '',
    'built · [a map](https://a.example/i.png)',
    '',
    'now **bold** [here](https://a.example)🎉',
    '- one',
    '- two',
    '```',
    'a *b*',
    '```',
  ]);
  assert.equal(renderPosted({ text: 'instead', blocks: [{ type: 'input' }] }), 'instead');
});

const alert = (status: string, instance: string) => ({
  status,
  labels: { alertname: 'DiskFull', instance, severity: 'critical' },
  annotations: { summary: `${instance} is full`, description: 'Only 3 % left.' },
  generatorURL: `http://prometheus.example/${instance}`,
});

test('Slack’s tables are shown row by row, and its videos as links', () => {
  const cell = (text: string) => ({ type: 'raw_text', text });
  const bold = { type: 'text', text: '12 %', style: { bold: true } };
  const section = { type: 'rich_text_section', elements: [bold] };
  const rows = [
    [cell(''), cell('Errors')],
    [cell('eu*1'), { type: 'rich_text', elements: [section] }],
  ];
  const video = {
    type: 'video',
    title: { type: 'plain_text', text: 'Replay' },
    title_url: 'https://a.example/replay',
    video_url: 'https://a.example/embed',
    alt_text: 'what happened',
  };
  assert.deepEqual(lines({ blocks: [{ type: 'table', rows }, video] }), [
    '| Errors',
    'eu\\*1 | **12 %**',
    '',
    '[Replay](https://a.example/replay)',
  ]);
  assert.deepEqual(lines({ text: 'nothing', blocks: [{ type: 'table', rows: ['x', [1, {}]] }] }), [
    'nothing',
  ]);
});

test('Alertmanager’s alerts, firing and resolved', () => {
  const group = {
    version: '4',
    groupKey: '{}',
    receiver: 'chat',
    groupLabels: { alertname: 'DiskFull' },
    commonLabels: { alertname: 'DiskFull', severity: 'critical' },
    externalURL: 'http://alerts.example',
  };
  const firing = { ...group, status: 'firing', alerts: [alert('firing', 'db1'), alert('resolved', 'db2')] };
  assert.deepEqual(lines({ ...firing, truncatedAlerts: 3 }), [
    '🔴 **Firing: DiskFull (2)**',
    'severity: critical',
    '🔴 db1 is full',
    'Only 3 % left.',
    'instance: db1',
    '[Source](http://prometheus.example/db1)',
    '🟢 db2 is full',
    'Only 3 % left.',
    'instance: db2',
    '[Source](http://prometheus.example/db2)',
    '… and 3 more',
    '[Alertmanager](http://alerts.example)',
  ]);
  const [title] = lines({ ...group, status: 'resolved', alerts: [alert('resolved', 'db1')] });
  assert.equal(title, '🟢 **Resolved: DiskFull**');
});

test('Grafana’s alerts have its title, values and links', () => {
  const posted = {
    receiver: 'chat',
    status: 'firing',
    orgId: 1,
    alerts: [
      {
        ...alert('firing', 'db1'),
        startsAt: '2026-11-23T09:51:03.157076+01:00',
        endsAt: '0001-01-01T00:00:00Z',
        fingerprint: 'c6eadffa33fcdf37',
        values: { A: 97.51234567, B: 1 },
        silenceURL: 'https://g.example/s',
        dashboardURL: 'https://g.example/d/1',
        panelURL: '',
      },
    ],
    groupLabels: {},
    commonLabels: { alertname: 'DiskFull' },
    commonAnnotations: {},
    externalURL: 'https://g.example/',
    version: '1',
    groupKey: '{}:{}',
    truncatedAlerts: 0,
    title: '[FIRING:1] DiskFull',
    state: 'alerting',
    message: '**Firing**\n\nValue: A=97.51234567',
  };
  assert.deepEqual(lines(posted), [
    '🔴 **[FIRING:1] DiskFull**',
    'db1 is full',
    'Only 3 % left.',
    'instance: db1 · severity: critical',
    'A: 97.5123 · B: 1',
    '[Source](http://prometheus.example/db1) · [Dashboard](https://g.example/d/1) · [Silence](https://g.example/s)',
    '[Grafana](https://g.example/)',
  ]);
});

test('GitHub’s events', () => {
  const repository = { full_name: 'ada/engine', html_url: 'https://github.com/ada/engine' };
  const given = { repository, sender: { login: 'ada' } };
  const at = (path: string) => `https://github.com/ada/engine/${path}`;
  const thing = (path: string) => ({ number: 7, title: 'It *stops*', html_url: at(path), body: 'Why?' });
  const shown = (event: string, payload: object) =>
    lines({ ...given, ...payload }, event).map((line) =>
      line.replace('[ada/engine](https://github.com/ada/engine): ', ''),
    );
  assert.deepEqual(shown('ping', {}), ['GitHub will post here.']);
  const commit = { message: 'Fix\n\nlong', url: at('c') };
  const commits = Array.from({ length: 11 }, (_, i) => ({ ...commit, id: `${i}`.padEnd(40, 'a') }));
  const push = shown('push', { ref: 'refs/heads/main', commits, compare: at('compare') });
  assert.equal(push[0], `**ada** pushed [11 commits](${at('compare')}) to **main**`);
  assert.deepEqual([push[1], push.at(-1)], [`[0aaaaaa](${at('c')}) Fix`, '… and 1 more']);
  assert.deepEqual(shown('push', { ref: 'refs/tags/v1', deleted: true }), ['**ada** deleted the tag **v1**']);
  const pull = { action: 'closed', pull_request: { ...thing('pull/7'), merged: true } };
  const seven = `[#7 It \\*stops\\*](${at('pull/7')})`;
  assert.deepEqual(shown('pull_request', pull), [`**ada** merged pull request ${seven}`]);
  assert.deepEqual(shown('issues', { action: 'opened', issue: thing('issues/7') }), [
    `**ada** opened issue [#7 It \\*stops\\*](${at('issues/7')})`,
    '> Why?',
  ]);
  const comment = { html_url: at('c7'), body: 'Because.' };
  assert.deepEqual(shown('issue_comment', { action: 'created', issue: thing('issues/7'), comment }), [
    `**ada** [commented](${at('c7')}) on [#7 It \\*stops\\*](${at('issues/7')})`,
    '> Because.',
  ]);
  const run = { name: 'CI', run_number: 3, conclusion: 'failure', head_branch: 'main', html_url: at('r') };
  assert.deepEqual(shown('workflow_run', { action: 'completed', workflow_run: run }), [
    `🔴 **[CI #3](${at('r')})** failure on main`,
  ]);
  assert.deepEqual(shown('workflow_run', { workflow_run: { ...run, conclusion: 'constructor' } }), [
    `⚪ **[CI #3](${at('r')})** constructor on main`,
  ]);
  assert.deepEqual(
    shown('release', { action: 'published', release: { tag_name: 'v1', html_url: at('v1') } }),
    [`**ada** published release [v1](${at('v1')})`],
  );
  const pulled = (action: string) => shown('pull_request', { action, pull_request: thing('pull/7') });
  assert.deepEqual(
    ['synchronize', 'review_requested', 'ready_for_review', 'labeled'].map((action) => pulled(action)[0]),
    ['pushed to', 'asked for a review of', 'asks for reviews of', 'labeled'].map(
      (done) => `**ada** ${done} pull request ${seven}`,
    ),
  );
  const reviewed = (state: string, body: string | null = null) =>
    shown('pull_request_review', {
      action: 'submitted',
      review: { state, body, html_url: at('r7') },
      pull_request: thing('pull/7'),
    });
  assert.deepEqual(reviewed('approved'), [`**ada** [approved](${at('r7')}) pull request ${seven}`]);
  assert.deepEqual(reviewed('changes_requested', 'No.'), [
    `**ada** [requested changes in](${at('r7')}) pull request ${seven}`,
    '> No.',
  ]);
  const onLine = { action: 'created', comment, pull_request: thing('pull/7') };
  assert.deepEqual(shown('pull_request_review_comment', onLine), [
    `**ada** [commented](${at('c7')}) on ${seven}`,
    '> Because.',
  ]);
  const short: [event: string, payload: object, line: string][] = [
    ['create', { ref: 'try', ref_type: 'branch', master_branch: 'main' }, 'created the branch **try**'],
    ['delete', { ref: 'v1', ref_type: 'tag' }, 'deleted the tag **v1**'],
    ['star', { action: 'created', starred_at: '2026-11-23T09:51:03Z' }, 'gave it a star'],
    ['star', { action: 'deleted', starred_at: null }, 'took back a star'],
    [
      'fork',
      { forkee: { full_name: 'bob/engine', html_url: 'https://github.com/bob/engine' } },
      'forked it to [bob/engine](https://github.com/bob/engine)',
    ],
    [
      'discussion',
      { action: 'created', discussion: thing('d') },
      `discussion [It \\*stops\\*](${at('d')}) (created)`,
    ],
    [
      'check_run',
      { action: 'completed', check_run: { name: 'lint', html_url: at('l'), conclusion: 'timed_out' } },
      `check run [lint](${at('l')}) (completed: timed out)`,
    ],
    [
      'status',
      { name: 'ada/engine', context: 'ci/test', state: 'success', target_url: at('s') },
      `status [ci/test](${at('s')}) (success)`,
    ],
    [
      'dependabot_alert',
      { action: 'created', alert: { html_url: at('a'), security_advisory: { summary: 'A leak' } } },
      `dependabot alert [A leak](${at('a')}) (created)`,
    ],
    [
      'code_scanning_alert',
      { action: 'created', alert: { html_url: at('a'), rule: { description: 'Unsafe' } } },
      `code scanning alert [Unsafe](${at('a')}) (created)`,
    ],
    [
      'commit_comment',
      { action: 'created', comment: { html_url: at('c') } },
      `[commit comment](${at('c')}) (created)`,
    ],
    [
      'member',
      { action: 'added', member: { login: 'bob', html_url: at('b') } },
      `member [bob](${at('b')}) (added)`,
    ],
    ['branch_protection_rule', { action: 'created' }, 'branch protection rule (created)'],
    ['public', {}, 'public'],
  ];
  const marks: Record<string, string> = { check_run: '🔴 ', status: '🟢 ' };
  for (const [event, payload, said] of short)
    assert.deepEqual(shown(event, payload), [`${marks[event] ?? ''}**ada** ${said}`]);
  assert.deepEqual(shown('discussion_comment', { action: 'created', comment }), [
    `**ada** [discussion comment](${at('c7')}) (created)`,
    '> Because.',
  ]);
  const about = [{ label: { name: 'bug' } }, { assignee: { login: 'bob' } }, { milestone: { title: 'v1' } }];
  assert.deepEqual(
    about.map((more) => shown('issues', { action: 'labeled', issue: thing('pull/7'), ...more })),
    ['bug', 'bob', 'v1'].map((name) => [`**ada** labeled issue ${seven} (${name})`]),
  );
  const requested = { action: 'review_requested', pull_request: thing('pull/7') };
  assert.deepEqual(
    [{ requested_reviewer: { login: 'bob' } }, { requested_team: { name: 'core' } }].map((more) =>
      shown('pull_request', { ...requested, ...more }),
    ),
    ['bob', 'core'].map((name) => [`**ada** asked for a review of pull request ${seven} (${name})`]),
  );
});

test('longer text is truncated with a remark, and empty input gives no text', () => {
  const long = renderPosted({ text: '😀'.repeat(5000) });
  assert.equal([...long].length <= LIMITS.textLength, true);
  assert.match(long, /😀…\n\(cut: only 4096 characters fit\)$/);
  assert.match(renderPosted(`\`\`\`\n${'x'.repeat(5000)}\n\`\`\``), /x\n```…\n\(cut: /);
  for (const posted of ['', ' \n', {}, { text: '  ' }, { text: 5n }, { attachments: [{}] }])
    assert.equal(renderPosted(posted as Posted), '');
});

test('Markdown characters in quoted values are escaped', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab*`~\\]{0,40}$/), (text) => {
      assert.equal(plainText(`x ${literal(text)} x`), `x ${text} x`);
    }),
    { numRuns: 2_000 },
  );
  assert.equal(plainText(literal('[bank](https://evil.example)')), '[bank] (https://evil.example)');
});

/** Field names of the known formats, so that random input reaches the depths of the renderer. */
const NAMES = (
  'text attachments blocks type elements fields title title_link value url style bold actions alerts status groupLabels ' +
  'commonLabels labels annotations commits ref sender login repository full_name pull_request issue comment body ' +
  'workflow_run release number __proto__ constructor accessory unicode indent action state conclusion review ' +
  'pull_request_review forkee'
).split(' ');
const WORDS = (
  'header section rich_text rich_text_list rich_text_section rich_text_quote link emoji button mrkdwn constructor ' +
  'submitted'
).split(' ');
const EVENTS = 'push issues pull_request workflow_run release pull_request_review constructor fork'.split(
  ' ',
);

test('whatever is posted, the text is shown and fits', () => {
  const marks = fc.stringMatching(/^[<>|*_~`&;@#!^[\]()\n a😀]{0,60}$/u);
  const { payload } = fc.letrec((tie) => ({
    payload: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 8 }),
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(...WORDS),
      marks,
      fc.anything({ maxDepth: 1 }),
      fc.array(tie('payload'), { maxLength: 5 }),
      tie('payload'),
    ),
  }));
  const events = fc.constantFrom(undefined, ...EVENTS);
  fc.assert(
    fc.property(payload, events, (posted, event) => {
      const text = renderPosted(posted as Posted, event);
      assert.ok([...text].length <= LIMITS.textLength && text.isWellFormed() && !text.includes('\0'));
      parseFormatted(text);
    }),
    { numRuns: 2_000 },
  );
});

test('of long posts only as much is read as could be shown', () => {
  const texts = Array.from({ length: 5 }, () => ({ text: 'x'.repeat(1_000_000) }));
  const fields = new Fields({ texts });
  assert.deepEqual(
    fields.list('texts').map((one) => one.text('text').length),
    [20_000, 20_000, 0, 0, 0],
  );
  const labels = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`l${i}`, 'x']));
  assert.deepEqual(
    new Fields(labels).names(2, (name) => name !== 'l1'),
    ['l0', 'l2', 'l3'],
  );
  assert.match(renderPosted({ text: '<!here> '.repeat(2_000) }), /^@here @here .*…\n\(cut: /);
});

test('a megabyte of input that provokes backtracking is rendered', () => {
  const pieces = ['<', '*', '~a ', '`', '```', '&lt;', '<!', '* ', ' ', '\n', '<a|', '*a ', '<!a>', '`a`'];
  for (const piece of pieces) {
    const text = piece.repeat(1_000_000 / piece.length);
    const shown = renderPosted({ text, attachments: [{ title: text, text }] });
    assert.equal([...shown].length <= LIMITS.textLength, true);
  }
});
