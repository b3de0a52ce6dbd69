import { type Exchange, NotTested } from '../client.mts';
import {
	anywhere,
	dataIn,
	errorForm,
	type Fields,
	isNone,
	isNumber,
	isObject,
	isTrue,
	momentOf,
	word,
} from '../read.mts';
import {
	assumption,
	inSection,
	isOk,
	isRefused,
	refusesField,
	type Session,
	shown,
	UNKNOWN_ID,
	verdict,
} from '../session.mts';
import { course } from './course.mts';
import { agent, CAMPAIGN, caller, campaign, idIn, OPEN_CAMPAIGN, read, TRUNK, trunk } from './own.mts';

const pathOf = async (s: Session) => `/campaigns/${(await campaign(s)).id}`;
const limits = (s: Session, values: { wrong?: Fields; right?: Fields }) =>
	s.limits('campaign', CAMPAIGN(s, UNKNOWN_ID), values);

/** A campaign with a call that waits for an hour, and is cancelled with it: it never rings. */
export const waiting = (s: Session) =>
	s.once('waiting call', async () => {
		const { id } = await s.made('campaign', { ...OPEN_CAMPAIGN(s, (await caller(s)).id), initial_call_delay: 3600 });
		const path = `/campaigns/${id}`;
		await s.must('PATCH', `${path}/status`, { status: 'active' });
		// If anything fails from here on, the campaign is cancelled when it is deleted: its call waits for an hour.
		const queued = await s.must('POST', `${path}/call`, {
			to: s.number,
			is_testing: true,
			context: { contract: 'check' },
		});
		const twice = await s.ask('POST', `${path}/call`, { to: s.number, is_testing: true });
		const changed = await s.ask('PUT', path, { timezone: 'Europe/Berlin' });
		const same = await s.ask('PUT', path, { timezone: 'UTC' });
		const shownAfter = await read(s, path);
		const cancelled = await s.ask('PATCH', `${path}/status`, { status: 'cancelled' });
		const inside = anywhere(queued.body, 'campaign_call');
		return {
			call: isObject(inside) ? inside : dataIn(queued.body),
			queued,
			twice,
			changed,
			same,
			shownAfter,
			cancelled,
		};
	});

export const duplicateChecks = inSection('Requests and errors', [
	assumption('What does the 409 of a duplicate call have?', ['activate'], async (s) => {
		const { twice } = await waiting(s);
		if (!isObject(twice.body)) {
			throw new NotTested('needs errors in JSON');
		}
		const existing = anywhere(twice.body, 'existing_call');
		return verdict(isRefused(twice) && isObject(existing) && !isNone(existing.id) && !isNone(existing.status), twice);
	}),
]);

export const campaignChecks = inSection('Campaigns', [
	assumption('Time ranges or earliest and latest time?', ['write'], async (s) => {
		const { call_time_ranges: _ranges, ...base } = CAMPAIGN(s, UNKNOWN_ID);
		const fields = await s.refused('campaign', {
			...base,
			earliest_call_time: '09:00:00',
			latest_call_time: '17:00:00',
		});
		const data = await read(s, await pathOf(s));
		const pair = data.earliest_call_time === '09:00:00' && data.latest_call_time === '17:00:00';
		const refused = [...fields].filter((field) => /call_time/.test(field));
		return verdict(
			pair && refused.length === 0,
			`refused: ${refused.join(', ') || 'nothing'}`,
			shown(data, 'earliest_call_time'),
			shown(data, 'call_time_ranges'),
		);
	}),
	assumption('May a range end at midnight?', ['write'], (s) =>
		limits(s, { right: { call_time_ranges: [{ start: '00:00', end: '24:00' }] } }),
	),
	assumption('Where does the first delay count from?', ['activate'], async (s) => {
		const { call } = await waiting(s);
		if (isNone(call.scheduled_at)) {
			throw new NotTested('needs a queued call that shows when it is due');
		}
		const seconds = (momentOf(call.scheduled_at) - momentOf(call.created_at)) / 1000;
		return verdict(Math.abs(seconds - 3600) <= 2, `with a delay of 3600 s it is scheduled after ${seconds} s`);
	}),
	assumption('Default of the success and voicemail cooldowns', ['write'], async (s) => {
		const data = await read(s, await pathOf(s));
		return verdict(
			isNumber(data.success_cooldown_hours, 24) && isNumber(data.voicemail_cooldown_hours, 24),
			shown(data, 'success_cooldown_hours'),
			shown(data, 'voicemail_cooldown_hours'),
		);
	}),
	assumption('Values of `do_not_call_list_source`', ['write'], async (s) => {
		const found = await limits(s, { wrong: { do_not_call_list_source: 'contract' } });
		const others = await Promise.all(
			['environment', 'campaign', 'global', 'custom'].map((source) =>
				limits(s, { right: { do_not_call_list_source: source } }),
			),
		);
		return [found, ...others].find(({ is }) => is !== 'confirmed') ?? found;
	}),
	assumption('What adds to the list?', ['write'], (s) =>
		limits(s, {
			right: { auto_dnc_trigger_statuses: ['contract check'], auto_dnc_trigger_errors: ['contract check'] },
		}),
	),
	assumption('Status of a campaign call', ['activate'], async (s) => {
		const { call } = await waiting(s);
		if (s.can('receive') && word((await course(s)).queued) !== 'queued') {
			return verdict(false, 'a call that is due at once is not "queued"');
		}
		return verdict(word(call.status) === 'scheduled', shown(call, 'status'));
	}),
	assumption('Changing the schedule with calls queued', ['activate'], async (s) => {
		const { changed, same } = await waiting(s);
		return verdict(changed.status === 409 && isOk(same), changed, same);
	}),
	assumption('Deleting a campaign', ['write'], async (s) => {
		const { id } = await s.made('campaign', CAMPAIGN(s, (await agent(s)).id));
		const body = { name: 'Check', webhook_url: 'https://example.com/contract', events: ['campaign.completed'] };
		const hook = idIn(await s.must('POST', `/campaigns/${id}/webhooks`, body));
		await s.must('DELETE', `/campaigns/${id}`);
		const answer = await s.ask('GET', `/campaigns/${id}/webhooks/${hook}`);
		return verdict(isRefused(answer), answer);
	}),
	assumption('Which fields can be cleared by null?', ['write'], async (s) => {
		const path = await pathOf(s);
		const clears = await s.ask('PUT', path, { description: null, end_date: null, busy_cooldown_hours: null });
		const refuses = await s.ask('PUT', path, { campaign_type: null });
		const data = await read(s, path);
		return verdict(
			isOk(clears) && isRefused(refuses) && isNumber(data.busy_cooldown_hours, 24),
			clears,
			refuses,
			shown(data, 'busy_cooldown_hours'),
		);
	}),
	assumption('A fixed offset such as `+02:00` as time zone', ['write'], async (s) => {
		const { timezone } = await read(s, await pathOf(s));
		const found = await limits(s, { wrong: { timezone: '+02:00' }, right: { timezone: 'Europe/Berlin' } });
		return timezone === 'UTC' ? found : verdict(false, `UTC is shown as ${JSON.stringify(timezone)}`);
	}),
	assumption('Stats', ['activate'], async (s) => {
		const { stats } = (await waiting(s)).shownAfter;
		return verdict(
			isObject(stats) && isNumber(stats.total_calls, 0),
			`with a test call, ${shown(stats, 'total_calls')}`,
		);
	}),
]);

const SFTP = {
	host: 'sftp.contract-check.invalid',
	username: 'contract',
	auth_type: 'password',
	password: 'no-real-password',
};

/** What the SFTP configuration of one's own campaign tells. */
export const sftp = (s: Session) =>
	s.once('sftp', async () => {
		const path = `${await pathOf(s)}/sftp`;
		const { answer: own } = await campaign(s);
		const before = await s.ask('GET', path);
		const wrongHost = await s.ask('POST', path, { ...SFTP, host: 'https://sftp.contract-check.invalid/files' });
		const wrongKey = await s.ask('POST', path, { ...SFTP, auth_type: 'private_key', private_key: 'contract' });
		const enabled = await s.ask('POST', path, { ...SFTP, is_enabled: true, import_path: '/contract' });
		const created = isOk(enabled) ? enabled : await s.must('POST', path, { ...SFTP, import_path: '/contract' });
		const again = await s.ask('POST', path, SFTP);
		const disabled = await s.ask('POST', `${path}/trigger-import`);
		const test = await s.ask('POST', `${path}/test-connection`);
		const otherType = await s.ask('PUT', path, { auth_type: 'private_key' });
		const cleared = await s.ask('PUT', path, { import_path: null });
		return {
			campaign: own,
			before,
			wrongHost,
			wrongKey,
			enabled,
			created,
			again,
			disabled,
			test,
			otherType,
			cleared,
			after: await read(s, path),
		};
	});

type Sftp = Awaited<ReturnType<typeof sftp>>;
const aboutSftp = (question: string, holds: (found: Sftp) => boolean, ...seen: Array<Exclude<keyof Sftp, 'after'>>) =>
	assumption(question, ['write'], async (s) => {
		const found = await sftp(s);
		return verdict(holds(found), ...seen.map((name) => found[name]));
	});

export const sftpChecks = inSection('SFTP and files', [
	aboutSftp('Status of a creation', ({ created, campaign: own }) => created.status === own.status, 'created'),
	aboutSftp('A second creation', ({ again }) => again.status === 409, 'again'),
	aboutSftp('No configuration', ({ before }) => isRefused(before), 'before'),
	aboutSftp('`is_enabled` at creation', ({ enabled, after }) => isOk(enabled) && !isTrue(after.is_enabled), 'enabled'),
	aboutSftp('Limit of `host`', ({ wrongHost }) => refusesField(wrongHost, 'host'), 'wrongHost'),
	aboutSftp('Form of `private_key`', ({ wrongKey }) => refusesField(wrongKey, 'private_key'), 'wrongKey'),
	aboutSftp('`null` on update', ({ cleared, after }) => isOk(cleared) && isNone(after.import_path), 'cleared'),
	aboutSftp('Another `auth_type` on update', ({ otherType }) => refusesField(otherType, 'private_key'), 'otherType'),
	aboutSftp(
		'HTTP status of a test that fails',
		({ test }) => isOk(test) && !(isObject(test.body) && test.body.success === true),
		'test',
	),
	aboutSftp('Import or export while disabled', ({ disabled }) => disabled.status === 422, 'disabled'),
]);

/** What one's own trunk tells. */
const trunkRun = (s: Session) =>
	s.once('trunk run', async () => {
		const { id, answer: created } = await trunk(s);
		const { answer: own } = await campaign(s);
		const path = `/sip-trunks/${id}`;
		const before = await read(s, path);
		const active = await s.ask('PUT', path, { is_active: true });
		const verified = await s.ask('POST', `${path}/verify`);
		const checks = [await s.ask('GET', `${path}/health`), await s.ask('GET', `${path}/health`)];
		const checked = await read(s, path);
		await s.ask('PUT', path, { transport: 'udp', outbound_proxy: 'proxy.contract-check.invalid' });
		const udp = await read(s, path);
		const cleared = await s.ask('PUT', path, { outbound_proxy: null });
		const did = await s.ask('POST', `${path}/dids`, { country_code: 'us', number: 'contract' });
		const didRight = await s.ask('POST', `${path}/dids`, { country_code: 'US', number: 'contract' });
		return {
			own,
			created,
			before,
			active,
			verified,
			checks,
			checked,
			udp,
			cleared,
			did,
			didRight,
			after: await read(s, path),
		};
	});

type TrunkRun = Awaited<ReturnType<typeof trunkRun>>;
const aboutTrunk = (
	question: string,
	holds: (found: TrunkRun) => boolean,
	seen: (found: TrunkRun) => Array<string | Exchange>,
) =>
	assumption(question, ['write'], async (s) => {
		const found = await trunkRun(s);
		return verdict(holds(found), ...seen(found));
	});

export const trunkChecks = inSection('SIP trunks', [
	assumption('A plan without the flag', ['write'], async (s) => {
		const answer = await s.once('trunk refused', () => s.create('sipTrunk', TRUNK(s)));
		if (isOk(answer)) {
			throw new NotTested('needs a plan without custom SIP trunks');
		}
		return verdict(
			answer.status === 403 && errorForm(answer.body) === '{success, message, code} CUSTOM_SIP_TRUNKS_NOT_ALLOWED',
			answer,
		);
	}),
	aboutTrunk(
		'Status of a creation',
		({ created, own }) => created.status === own.status,
		({ created }) => [created],
	),
	assumption('Which hosts are accepted as `domain` and `outbound_proxy`?', ['write'], (s) =>
		s.limits('sipTrunk', TRUNK(s), {
			wrong: { domain: 'https://sip.contract-check.invalid/a' },
			right: { domain: '192.0.2.1' },
		}),
	),
	assumption('Longest `provider_name`, `username`, `password`, `auth_realm`', ['write'], (s) =>
		s.limits('sipTrunk', TRUNK(s), { right: { provider_name: 'x'.repeat(300), username: 'x'.repeat(300) } }),
	),
	aboutTrunk(
		'`port`, `outbound_proxy` or `auth_realm` null',
		({ cleared, after }) => isOk(cleared) && isNone(after.outbound_proxy),
		({ cleared, after }) => [cleared, shown(after, 'outbound_proxy')],
	),
	aboutTrunk(
		'Does the port follow the transport?',
		({ before, udp }) => isNumber(before.port, 5061) && isNumber(udp.port, 5060),
		({ before, udp }) => [`tls ${shown(before, 'port')}, udp ${shown(udp, 'port')}`],
	),
	aboutTrunk(
		'`is_active: true` on an unverified trunk',
		({ active }) => active.status === 422 && refusesField(active, 'is_active'),
		({ active }) => [active],
	),
	aboutTrunk(
		'When does a verification fail?',
		({ verified }) => isRefused(verified) || !isTrue(anywhere(verified.body, 'is_verified')),
		({ verified }) => [verified],
	),
	aboutTrunk(
		'HTTP status of a failed verification',
		({ verified }) => isOk(verified),
		({ verified }) => [verified],
	),
	aboutTrunk(
		'`health_status` and `last_health_check_at` before the first check',
		({ before }) => isNone(before.health_status) && isNone(before.last_health_check_at),
		({ before }) => [shown(before, 'health_status'), shown(before, 'last_health_check_at')],
	),
	aboutTrunk(
		'How long is its result kept?',
		({ checks: [one, other] }) => momentOf(dataIn(one?.body).checked_at) === momentOf(dataIn(other?.body).checked_at),
		({ checks }) => ['two checks one after the other have two times', ...checks],
	),
	aboutTrunk(
		'`response_time_ms` of a host that does not answer',
		({ checks }) => isNumber(dataIn(checks[0]?.body).response_time_ms, 5000),
		({ checks }) => [checks[0]!],
	),
	aboutTrunk(
		'Country code of a DID',
		({ did, didRight }) => refusesField(did, 'country_code') && !refusesField(didRight, 'country_code'),
		({ did, didRight }) => [did, didRight],
	),
]);
