import type { Break } from './break.mts';

export const secrets: Break[] = [
	{
		promise: 'Token, signing secrets, passwords and keys are in no output, error, log line, URL or stored execution',
		test: 'integration/secrets.test.mts',
		name: 'a service that echoes the request in single lines reveals neither token nor secret in a failed item, On Error stopWorkflow',
		file: 'nodes/shared/service/secrets.ts',
		code: 'const parts = [text, ...lines].flatMap(',
		changed: 'const parts = [text, ...lines.slice(1)].flatMap(',
	},
	{
		promise: 'Token, signing secrets, passwords and keys are in no output, error, log line, URL or stored execution',
		test: 'integration/secrets.test.mts',
		name: 'a service that echoes the request in the names of fields reveals neither token nor secret in a failed item, On Error stopWorkflow',
		file: 'nodes/shared/service/secrets.ts',
		code: '[replace(key, inNames), hide(member)]',
		changed: '[inNames.includes(key) ? replace(key, inNames) : key, hide(member)]',
	},
	{
		promise: 'The token reaches no other origin, and n8n follows no redirect with it',
		test: 'integration/credentials/credentialElsewhere.test.mts',
		name: 'adds nothing to requests to another origin',
		file: 'nodes/shared/service/authorize.ts',
		code: 'url.startsWith(`${base.origin}/`) ||',
		changed: 'url.startsWith(base.origin) ||',
	},
	{
		promise: 'The token reaches no other origin, and n8n follows no redirect with it',
		test: 'integration/credentials/credentialElsewhere.test.mts',
		name: 'follows no redirect with the token: 302',
		file: 'nodes/shared/service/authorize.ts',
		code: '	disableFollowRedirect: true,\n	followRedirect: false,\n	followAllRedirects: false,\n	maxRedirects: 0,\n',
		changed: '	maxRedirects: 1,\n',
	},
	{
		promise: 'The credential test does not follow a redirect, sends its token once, and places no call',
		test: 'integration/credentials/credentialTest.test.mts',
		name: 'if the address redirects with 302',
		file: 'nodes/shared/service/credentialTest.ts',
		code: 'return await caller.helpers.request({ ...authorized, simple: false, resolveWithFullResponse: true });',
		changed: `const followed = { ...authorized, followRedirect: true, maxRedirects: 5 };
			return await caller.helpers.request({ ...followed, simple: false, resolveWithFullResponse: true });`,
	},
	{
		promise: 'The credential test does not follow a redirect, sends its token once, and places no call',
		test: 'integration/credentials/credentialTest.test.mts',
		name: 'if the service reports an error with HTTP status 200',
		file: 'nodes/shared/service/credentialTest.ts',
		code: "const isError = 'status_code' in body || isRecord(body.error) || ('success' in body && body.success !== true);",
		changed: 'const isError = isRecord(body.error) || body.success === false;',
	},
];
