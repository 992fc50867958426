/** The receiver in `alertmanager.yml`. */
export function alertmanagerSettings(url: string): string {
  return ['receivers:', '  - name: parley', '    webhook_configs:', `      - url: ${url}`].join('\n');
}

/** A file for Grafana's `provisioning/alerting` folder. */
export function grafanaSettings(url: string): string {
  return [
    'apiVersion: 1',
    'contactPoints:',
    '  - orgId: 1',
    '    name: Parley',
    '    receivers:',
    '      - uid: parley',
    '        type: webhook',
    '        settings:',
    `          url: ${url}`,
  ].join('\n');
}

/** The fields of GitHub's form. */
export function gitHubSettings(url: string): string {
  return [`Payload URL:  ${url}`, 'Content type: application/json'].join('\n');
}

/** For scripts. */
export function curlCommand(url: string): string {
  return [`curl ${url} \\`, `  --header 'content-type: application/json' --data '{"text":"Hello"}'`].join(
    '\n',
  );
}

/** VS Code prompts for the key and stores it. */
export function vsCodeMcpJson(url: string): string {
  return inJson({
    servers: { parley: serverAt(url, 'input:parley-key') },
    inputs: [{ type: 'promptString', id: 'parley-key', description: 'API key of the bot', password: true }],
  });
}

/** For Claude Code and other readers of `.mcp.json`: the key comes from the environment. */
export function mcpJson(url: string): string {
  return inJson({ mcpServers: { parley: serverAt(url, 'PARLEY_API_KEY') } });
}

/** @param key the variable that the assistant replaces with the key */
function serverAt(url: string, key: string): object {
  return { type: 'http', url, headers: { Authorization: `Bearer \${${key}}` } };
}

function inJson(settings: object): string {
  return JSON.stringify(settings, null, 2);
}
