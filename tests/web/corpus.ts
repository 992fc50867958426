/** Texts that would run a script, leave the page or break its markup if interpreted as anything but text. */
export const CORPUS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '"><svg onload="window.hacked = 1">',
  "javascript:window.hacked=1//'",
  '</textarea><iframe srcdoc="<script>parent.hacked=1</script>">',
  '{{constructor.constructor("window.hacked=1")()}}',
  'https://example.com/"onmouseover="window.hacked=1',
  'https://javascript:alert(1)@example.com/%22><script>window.hacked=1</script>',
  '\u202Etxt.exe <b onclick=window.hacked=1>x</b>',
];
