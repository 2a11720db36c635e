/** Messages of a malicious agent that try to harm the user. Nothing in them may run, leave the machine or hide. */
export const hostileMessages: readonly string[] = [
  '<script>document.title = "owned"</script><img src="https://evil.example/track.png" onerror="alert(1)"><b onclick=alert(1)>bold</b>',
  [
    '[javascript](javascript:alert(1))',
    '[command](command:workbench.action.terminal.new)',
    '[vscode](vscode://evil.extension/run?x=1)',
    '[data](data:text/html,<script>alert(1)</script>)',
    '[file](file:///etc/passwd)',
    '[looks good](https://good.example@evil.example/%2e%2e/?q=1)',
    '[https://good.example](https://evil.example)',
    '[punycode](https://xn--80ak6aa92e.com/)',
    '<https://evil.example>',
    '![remote image](https://evil.example/pixel.gif)',
    '[reference][1]',
    '',
    '[1]: javascript:alert(2)',
  ].join('\n'),
  'Control: \u0000\u0007\u0008\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u009b1m. Direction: \u202eevil\u202c \u2066isolated\u2069. Invisible: a\u200bb\u2060c\ufeffd\u00ade. Tag: \u{e0041}\u{e0042}.',
  `One long line: ${'no-space-'.repeat(2000)}`,
  `Deep: ${'> '.repeat(200)}quoted, ${'['.repeat(500)}${'*'.repeat(500)} and ${'`'.repeat(501)}`,
  `Zalgo: Z${'\u0351\u0352\u0353'.repeat(60)}algo. Lone surrogate: \ud800. Line separators:\u2028 and \u2029 and \u0085.`,
  '</textarea></style></script><iframe src="https://evil.example"></iframe><svg/onload=alert(1)>{{constructor.constructor("alert(1)")()}}',
];
