import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';

import { n8nProgram } from '../../scripts/lib/n8n.mts';
import { credentialFor } from './example.mts';
import type { Instance } from './instance.mts';

/** An email as its recipient sees it. */
export interface Mail {
	from: string;
	to: string;
	subject: string;
	/** Empty where it has only HTML. */
	text: string;
	/** Empty where it has only text. */
	html: string;
	attachments: unknown[];
}

type Parsed = Omit<Mail, 'from' | 'to' | 'html'> & Record<'from' | 'to', { text: string }> & { html: string | false };

/** A library that n8n itself uses. */
export const ofN8n = createRequire(join(dirname(n8nProgram), '..', '..', 'n8n-nodes-base', 'package.json'));
const { simpleParser } = ofN8n('mailparser') as { simpleParser(source: Readable): Promise<Partial<Parsed>> };

/** An SMTP server on this machine that takes emails of one user, keeps every email and delivers none. */
export async function startMailServer(n8n: Instance) {
	const login = { user: 'n8n', password: 'mail-1' };
	const mails: Mail[] = [];
	const smtp = new SMTPServer({
		allowInsecureAuth: true,
		disabledCommands: ['STARTTLS'],
		onAuth({ username, password }, _session, done) {
			const isKnown = username === login.user && password === login.password;
			done(isKnown ? null : new Error('Wrong user or password'), { user: username });
		},
		onData(stream, _session, done) {
			simpleParser(stream).then(({ from, to, subject = '', text = '', html, attachments = [] }) => {
				mails.push({ from: from?.text ?? '', to: to?.text ?? '', subject, text, html: html || '', attachments });
				done();
			}, done);
		},
	});
	// n8n may cut the connection once its email is accepted.
	smtp.on('error', () => undefined);
	const listening = smtp.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	// It lives as long as the test file.
	smtp.server.unref();
	const { port } = listening.address() as AddressInfo;
	/** Lets a node send emails by it. */
	const use = await credentialFor(n8n, 'smtp', { ...login, host: '127.0.0.1', port, secure: false });
	/** All emails so far, in order. */
	return { use, mails };
}
