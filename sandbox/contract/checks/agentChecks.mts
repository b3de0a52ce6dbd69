import { type Exchange, NotTested } from '../client.mts';
import {
	anywhere,
	dataIn,
	errorForm,
	type Fields,
	idOf,
	isNone,
	isNumber,
	isObject,
	isTrue,
	momentOf,
	refusedFields,
	rowsOf,
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
import { AGENT, agent, CAMPAIGN, caller, idIn, read } from './own.mts';

const pathOf = async (s: Session) => `/agents/${(await agent(s)).id}`;
const isDraft = ({ current_status }: Fields) => /^(draft|inactive)$/.test(word(current_status));

/** Writes an action of one's own agent. */
const action = async (s: Session, type: string, more: Fields) =>
	s.ask('POST', `${await pathOf(s)}/actions`, {
		node_id: `contract-${JSON.stringify(more).length}-${type}`,
		name: 'contract_check',
		description: 'A check',
		type,
		...more,
	});

/** An action has one place: two writes with the same `node_id` change one. */
async function actionIdentity(s: Session, withStatus = false) {
	const [one, other] = [
		await action(s, 'hold', { node_id: 'contract-same', hold_duration: 1, name: 'first' }),
		await action(s, 'hold', { node_id: 'contract-same', hold_duration: 1, name: 'second' }),
	];
	if (!isOk(one) || !isOk(other)) {
		throw new NotTested(`the actions were answered with ${one.status} and ${other.status}`);
	}
	// Both are as an answer to a POST that creates nothing.
	const status = withStatus ? (await validate(s, END)).status : one.status;
	const same = idIn(one) === idIn(other);
	return verdict(
		same && one.status === status && other.status === status,
		`two actions with the same node_id have ${same ? 'one ID' : 'two IDs'}`,
		one,
	);
}

/** All voice templates, with the name of their group. */
const templates = async (s: Session): Promise<Fields[]> =>
	(await s.rows('/voice-templates')).flatMap((group) =>
		(Array.isArray(group.voices) ? group.voices.filter(isObject) : [group]).map((voice) => ({
			display_name: group.display_name,
			...voice,
		})),
	);

/** A voice template. @throws NotTested if none fits */
async function template(s: Session, what: string, fits: (voice: Fields) => boolean): Promise<Fields> {
	const found = (await templates(s)).find(fits);
	if (!found) {
		throw new NotTested(`needs a voice template ${what}`);
	}
	return found;
}
const ofTier = (s: Session, ...tiers: string[]) =>
	template(s, `of the tier ${tiers.join(' or ')}`, ({ quality_tier }) => tiers.includes(String(quality_tier)));

const voice = async (s: Session, { id }: Fields, more: Fields = {}) =>
	s.ask('PUT', `${await pathOf(s)}/voice`, {
		voice_id: id,
		conversation_speed: 1.5,
		who_speaks_first: 'agent',
		...more,
	});

/** An agent of the account with a voice, and the template of that. */
async function voiced(s: Session): Promise<{ id: string; voice: Fields; template: Fields }> {
	const found = await s.find('/agents', 'an agent with a voice', (row) => isObject(row.voice));
	const own = found.voice as Fields;
	const used = isObject(own.template) ? idOf(own.template) : idOf(own);
	return {
		id: found.id,
		voice: own,
		template: await template(s, "of an agent's voice", (one) => idOf(one) === used || one.name === own.name),
	};
}

const validate = async (s: Session, ...nodes: Fields[]) =>
	s.ask('POST', `${await pathOf(s)}/flow/validate`, { flow_config: { initial_node_id: nodes[0]?.id, nodes } });
const passes = (answer: Exchange) =>
	isOk(answer) && anywhere(answer.body, 'errors') === undefined && anywhere(answer.body, 'success') !== false;
const END = { id: 'end', type: 'end' };

/** Which values an agent's fields take. */
const limitsOf = (question: string, wrong: Fields, right: Fields) =>
	assumption(question, ['write'], (s) => s.limits('agent', AGENT(s), { wrong, right }));

export const agentChecks = [
	...inSection('What the nodes assume', [
		assumption('What identifies an action?', ['write'], (s) => actionIdentity(s)),
	]),
	...inSection('Agents', [
		assumption('What is the published state called?', [], async (s) => {
			const states = [...new Set((await s.rows('/agents')).map(({ current_status }) => word(current_status)))];
			if (states.length === 0) {
				throw new NotTested('needs an agent');
			}
			return verdict(
				states.every((state) => state === 'draft' || state === 'published'),
				`states: ${states.join(', ')}`,
			);
		}),
		assumption('When is an agent ready to publish?', ['publish'], async (s) => {
			const answer = await s.ask('POST', `${await pathOf(s)}/publish`);
			if (isOk(answer)) {
				await s.must('POST', `${await pathOf(s)}/unpublish`);
			}
			return verdict(answer.status === 422 && !refusedFields(answer.body).has('description'), answer);
		}),
		assumption('What does `is_ready_to_publish` show?', [], async (s) => {
			const rows = (await s.rows('/agents')).filter(({ is_ready_to_publish: ready }) => ready !== undefined);
			if (rows.length === 0) {
				throw new NotTested('needs an agent');
			}
			const odd = rows.filter((row) => isTrue(row.is_ready_to_publish) !== (!isDraft(row) || isObject(row.voice)));
			const [first] = odd;
			return verdict(
				!first,
				`${odd.length} agents, such as one that is ${JSON.stringify(first?.current_status)} with ${shown(first, 'is_ready_to_publish')}`,
			);
		}),
		assumption("Limits of `description` and `initial_message` at an agent's creation", ['write'], async (s) => {
			const data = dataIn((await agent(s)).answer.body);
			const texts = { description: 'abcd', initial_message: 'abcd' };
			const { description: _description, ...without } = AGENT(s);
			const needed = (await s.refused('agent', without)).has('description');
			const found = await s.limits('agent', AGENT(s), {
				wrong: texts,
				right: { description: 'abcde', initial_message: 'abcde' },
			});
			const none = isNone(data.initial_message) && !needed;
			return none || found.is !== 'confirmed'
				? found
				: verdict(false, shown(data, 'initial_message'), `a description is needed: ${needed}`);
		}),
		assumption('Languages of an agent', ['write'], async (s) => {
			const { language } = dataIn((await agent(s)).answer.body);
			const found = await s.limits('agent', AGENT(s), { wrong: { language: 'sv-SE' }, right: { language: 'pt-BR' } });
			return language === 'en-US' || language === undefined
				? found
				: verdict(false, `en-US is shown as ${JSON.stringify(language)}`);
		}),
		limitsOf('Limit of `idle_time_seconds`', { idle_time_seconds: 301 }, { idle_time_seconds: 300 }),
		limitsOf('Limit of `conversation_speed`', { conversation_speed: 3.1 }, { conversation_speed: 0.1 }),
		assumption('Settings that no response shows (idle times, recording, `ambient_volume`…)', [], async (s) => {
			const { id } = await s.find('/agents', 'an agent');
			const fields = Object.keys(dataIn((await s.get(`/agents/${id}`)).body));
			const unshown = ['idle_time_seconds', 'enable_recording', 'ambient_volume', 'max_idle_check_count'];
			const odd = [
				...unshown.filter((name) => fields.includes(name)),
				...(fields.includes('llm_temperature') ? [] : ['no llm_temperature']),
			];
			return verdict(odd.length === 0, `the agent has: ${odd.join(', ')}`);
		}),
		assumption('Campaigns of a deleted agent', ['write'], async (s) => {
			const { id } = await s.made('agent', AGENT(s));
			const campaign = await s.made('campaign', CAMPAIGN(s, id));
			const { agent: before } = dataIn((await s.must('GET', `/campaigns/${campaign.id}`)).body);
			await s.must('DELETE', `/agents/${id}`);
			const answer = await s.ask('GET', `/campaigns/${campaign.id}`);
			const { agent: left } = dataIn(answer.body);
			return verdict(
				isOk(answer) && isNone(left) && isObject(before) && before.name !== undefined,
				answer,
				shown({ before }, 'before'),
			);
		}),
		assumption('Which voice templates are high-fidelity?', ['write'], async (s) => {
			const similarity = { similarity: 0.8, stability: 0.8 };
			const low = await voice(s, await ofTier(s, 'basic', 'pro'), similarity);
			const high = await voice(s, await ofTier(s, 'ultra', 'beta'), similarity);
			return verdict(isRefused(low) && isOk(high), low, high);
		}),
		assumption('Limits of `similarity` and `stability`', ['write'], async (s) => {
			const high = await ofTier(s, 'ultra', 'beta');
			const low = await voice(s, high, { similarity: 0.49, stability: 1.01 });
			const lowest = await voice(s, high, { similarity: 0.5, stability: 1 });
			await voice(s, high);
			const { voice: none } = await read(s, await pathOf(s));
			const standard =
				!isObject(none) ||
				[none.similarity_boost, none.stability].every((own) => own === undefined || isNumber(own, 0.75));
			const limits = refusesField(low, 'similarity') && refusesField(low, 'stability') && isOk(lowest);
			return verdict(limits && standard, low, lowest, `${shown(none, 'similarity_boost')} where none was sent`);
		}),
		assumption('What an update of the voice leaves out', ['write'], async (s) => {
			const any = await template(s, 'at all', () => true);
			await voice(s, any, { ambient_background: 'office' });
			await voice(s, any);
			const { language, voice: after } = await read(s, await pathOf(s));
			const kept =
				isObject(after) &&
				[undefined, 'office'].includes(after.ambient_background as undefined) &&
				/^en/.test(String(language));
			return verdict(kept, `${shown(after, 'ambient_background')}, language: ${JSON.stringify(language)}`);
		}),
		assumption('`name` and `label` of a voice', [], async (s) => {
			const { voice: own, template: from } = await voiced(s);
			return verdict(
				own.name === from.name &&
					isObject(own.template) &&
					[undefined, own.label].includes(from.display_name as undefined),
				'they are not the name of the template and of its group',
			);
		}),
		assumption("Does the voice have to speak the agent's language?", ['write'], async (s) => {
			const other = await template(
				s,
				'of another language than en-US',
				({ language }) => !/^en/i.test(String(language)),
			);
			const answer = await voice(s, other);
			return verdict(isOk(answer), answer);
		}),
		assumption('Prices of an agent', [], async (s) => {
			const { id, template: from } = await voiced(s);
			const { components, currency } = dataIn((await s.get(`/agents/${id}/pricing`)).body);
			const synthesis = isObject(components) ? components.voice_synthesis : undefined;
			const right =
				isObject(synthesis) &&
				!/\.\d{4}$/.test(String(synthesis.price)) &&
				isNumber(synthesis.price, Number(from.cost)) &&
				currency === 'USD';
			return verdict(
				right,
				`${shown(synthesis, 'price')} of a voice whose template has ${shown(from, 'cost')}, currency: ${JSON.stringify(currency)}`,
			);
		}),
		assumption('What identifies an action for an update?', ['write'], (s) => actionIdentity(s, true)),
		assumption('Fields of an input of an action', ['write'], async (s) => {
			const answer = await action(s, 'external', {
				inputs: [{ name: 'day', type: 'string' }],
				integration: { id: 'crm' },
			});
			const { input_schema: inputs } = dataIn(answer.body);
			const [input] = Array.isArray(inputs) ? inputs.filter(isObject) : [];
			return verdict(
				input !== undefined && input.required !== undefined && !isTrue(input.required) && input.description === '',
				answer,
			);
		}),
		assumption('Fields of an action of another type (`url` with a transfer…)', ['write'], async (s) => {
			const wrong = await action(s, 'hold', { hold_duration: 5, url: 'contract check' });
			const left = await action(s, 'hold', { hold_duration: 5, url: 'https://example.com/check' });
			return verdict(isRefused(wrong) && isOk(left) && isNone(dataIn(left.body).url), wrong, left);
		}),
		assumption(
			'A transfer without `transfer_to`, a hold without `hold_duration`, a webhook without `url`',
			['write'],
			async (s) => {
				const answers = [await action(s, 'transfer', {}), await action(s, 'hold', {}), await action(s, 'webhook', {})];
				return verdict(answers.every(isOk), ...answers);
			},
		),
		assumption('`hold_duration`', ['write'], async (s) => {
			const answers = [await action(s, 'hold', { hold_duration: -1 }), await action(s, 'hold', { hold_duration: 0 })];
			return verdict(isRefused(answers[0]!) && isOk(answers[1]!), ...answers);
		}),
		assumption('`integration.id`', ['write'], async (s) => {
			const answers = await Promise.all(
				['contract', 'crm', UNKNOWN_ID].map((id) => action(s, 'external', { integration: { id } })),
			);
			const named = (await s.rows('/action-integrations')).every(({ identifier }) => typeof identifier === 'string');
			return verdict(
				isRefused(answers[0]!) && answers.slice(1).every(isOk) && named,
				...answers,
				named ? '' : 'the catalog has no identifiers',
			);
		}),
		assumption('A training without `node_id`', ['write'], async (s) => {
			const path = `${await pathOf(s)}/trainings`;
			const body = { subject: 'Contract check', instructions: 'None.' };
			const ids = [idIn(await s.must('POST', path, body)), idIn(await s.must('POST', path, body))];
			return verdict(ids[0] !== ids[1], 'two trainings have one ID');
		}),
		assumption("`version` of a flow's version", ['write'], async (s) => {
			const { id } = await s.made('agent', AGENT(s));
			const before = rowsOf((await s.must('GET', `/agents/${id}/flow/versions`)).body);
			const flow_config = { initial_node_id: 'end', nodes: [END] };
			await s.must('PUT', `/agents/${id}/flow`, { conversation_mode: 'flow_driven', flow_config });
			const list = await s.must('GET', `/agents/${id}/flow/versions`);
			const after = rowsOf(dataIn(list.body).versions);
			if (!Array.isArray(dataIn(list.body).versions)) {
				return verdict(false, list);
			}
			return verdict(
				before.length === 0 && isNumber(after[0]?.version, 1),
				`${before.length} versions before the first update, ${shown(after[0], 'version')} after it`,
			);
		}),
		assumption('Which node fields does a flow need?', ['write'], async (s) => {
			const say = { id: 'say', type: 'say', content: 'Hello', next: 'end' };
			const ask = { id: 'ask', type: 'ask', content: 'Well?', branches: [{ match: 'yes', next: 'end' }] };
			const decision = { id: 'decision', type: 'decision', branches: [{ match: 'yes', next: 'end' }] };
			const right = [[say, END], [ask, END], [decision, END], [{ id: 'transfer', type: 'transfer' }]];
			const wrong = [
				[{ ...say, content: undefined }, END],
				[{ ...say, next: undefined }, END],
				[{ ...ask, branches: undefined }, END],
				[{ ...decision, branches: [{ next: 'end' }] }, END],
			];
			const seen: string[] = [];
			for (const [nodes, wanted] of [
				...right.map((nodes) => [nodes, true] as const),
				...wrong.map((nodes) => [nodes, false] as const),
			]) {
				if (passes(await validate(s, ...nodes)) !== wanted) {
					seen.push(`${wanted ? 'refused' : 'accepted'}: ${JSON.stringify(nodes[0])}`);
				}
			}
			return verdict(seen.length === 0, ...seen);
		}),
		assumption('`next` of an `end` node', ['write'], async (s) => {
			const answer = await validate(s, { ...END, next: 'nowhere' });
			// It may still have to be a node that exists.
			const reached = await validate(
				s,
				{ id: 'first', type: 'say', content: 'Hello', next: 'end' },
				{ ...END, next: 'other' },
				{ id: 'other', type: 'end' },
			);
			return verdict(passes(answer) && !passes(reached), answer, reached);
		}),
		assumption("Which field names a flow's action?", ['write'], async (s) => {
			const id = idIn(await action(s, 'hold', { hold_duration: 3 }));
			const node = { id: 'action', type: 'action', next: 'end' };
			const [known, unknown] = [
				await validate(s, { ...node, action_id: id }, END),
				await validate(s, { ...node, action_id: UNKNOWN_ID }, END),
			];
			return verdict(passes(known) && !passes(unknown), known, unknown);
		}),
		assumption('HTTP status of an invalid flow', ['write'], async (s) => {
			const wrong = await validate(s, { id: 'say', type: 'say' });
			const missing = await s.ask('POST', `${await pathOf(s)}/flow/validate`, {});
			const [errors, success] = [anywhere(wrong.body, 'errors'), anywhere(wrong.body, 'success')];
			const texts = success === false && Array.isArray(errors) && errors.every((error) => typeof error === 'string');
			return verdict(isOk(wrong) && texts && isRefused(missing), wrong, missing);
		}),
	]),
	...inSection('Voice templates', [
		assumption('How does `language` match?', [], async (s) => {
			const { id, language } = await template(s, 'with a language such as en-US', (one) =>
				/^[a-z]+-/i.test(String(one.language)),
			);
			const ask = async (code: string) => s.ask('GET', '/voice-templates', undefined, { query: { language: code } });
			const [capital, part, unknown] = [
				await ask(String(language).toUpperCase()),
				await ask(String(language).split('-')[0]!),
				await ask('contract'),
			];
			const found = JSON.stringify(capital.body ?? null).includes(String(id));
			return verdict(
				found && isOk(part) && rowsOf(part.body).length === 0 && isOk(unknown),
				`capitals find it: ${found}`,
				part,
				unknown,
			);
		}),
		assumption('A group of which only some tiers match', [], async (s) => {
			const { quality_tier } = await template(s, 'at all', () => true);
			const groups = rowsOf(
				(await s.must('GET', '/voice-templates', undefined, { query: { quality_tier: String(quality_tier) } })).body,
			);
			const isGrouped = groups.every(({ voices }) => Array.isArray(voices));
			const tiers = groups
				.flatMap(({ voices }) => (Array.isArray(voices) ? voices : []))
				.map((one) => (isObject(one) ? one.quality_tier : ''));
			return verdict(
				isGrouped && tiers.length > 0 && tiers.every((tier) => tier === quality_tier),
				`groups: ${isGrouped}, tiers: ${[...new Set(tiers)].join(', ')}`,
			);
		}),
	]),
	...inSection('Phone numbers', [
		assumption('Which statuses has a phone number?', [], async (s) => {
			const known = ['active', 'inactive', 'pending', 'suspended'];
			const odd = (await s.rows('/phone-numbers'))
				.map(({ current_status }) => word(current_status))
				.filter((state) => !known.includes(state));
			return verdict(odd.length === 0, `statuses: ${[...new Set(odd)].join(', ')}`);
		}),
		assumption('What can a number do?', [], async (s) => {
			const rows = await s.rows('/phone-numbers');
			if (rows.length === 0) {
				throw new NotTested('needs a phone number');
			}
			const more = ['has_sms', 'has_mms', 'has_fax', 'has_whatsapp'].filter((name) =>
				rows.some((row) => isTrue(row[name])),
			);
			return verdict(
				more.length === 0 && rows.every((row) => isTrue(row.has_voice)),
				`some numbers have: ${more.join(', ') || 'no voice'}`,
			);
		}),
		assumption('`direction` in the list of phone numbers', [], async (s) => {
			const all = (await s.rows('/phone-numbers')).length;
			if (all === 0) {
				throw new NotTested('needs a phone number');
			}
			const counts = await Promise.all(
				['inbound', 'outbound'].map(async (direction) => (await s.rows('/phone-numbers', { direction })).length),
			);
			return verdict(
				counts.every((count) => count === all),
				`${all} numbers, ${counts.join(' and ')} with inbound and outbound`,
			);
		}),
	]),
];

/** What a call to one's own number tells; it never rings: it is ended while its delay lasts. */
export const delayed = (s: Session) =>
	s.once('delayed call', async () => {
		const { id } = await caller(s);
		s.endAfterwards(id);
		const placed = await s.must('POST', `/agents/${id}/call`, {
			to: s.number,
			is_testing: true,
			delay_seconds: 300,
			context: { contract: 'check' },
		});
		const callId = idIn(placed);
		const active = await s.ask('GET', `/agents/${id}/active-call/${encodeURIComponent(s.number)}`);
		const ended = await s.ask('POST', `/agents/${id}/end-call`, { call_sid: callId });
		const again = await s.ask('POST', `/agents/${id}/end-call`, { call_sid: callId });
		const none = await s.ask('GET', `/agents/${id}/active-call/${encodeURIComponent(s.number)}`);
		const listed = rowsOf((await s.must('GET', `/agents/${id}/calls`)).body).find((row) => idOf(row) === callId);
		return {
			placed,
			active,
			ended,
			again,
			none,
			listed,
			found: [...rowsOf(active.body), dataIn(active.body)].find((row) => idOf(row) === callId),
		};
	});

const numberRefused = async (s: Session, to: unknown) => {
	const answer = await s.ask('POST', `${await pathOf(s)}/call`, { to, is_testing: true });
	const reason = String(anywhere(answer.body, 'message', 'detail') ?? '').replaceAll(/[+\d]/g, '');
	return { answer, form: `${answer.status} ${errorForm(answer.body)} ${reason}` };
};

export const callChecks = inSection('Calls', [
	assumption('Which call does `active-call` find by a number?', ['call'], async (s) => {
		const { active, found, none } = await delayed(s);
		return verdict(
			found !== undefined && Array.isArray(anywhere(active.body, 'data') ?? active.body) && isRefused(none),
			active,
			none,
		);
	}),
	assumption('What is the international format?', ['write', 'call'], async (s) => {
		// The agent is a draft, and no plan can complete these numbers. Whoever gives a number allows calls anyway.
		const right = await numberRefused(s, '+1202555');
		if (!isObject(right.answer.body)) {
			throw new NotTested('needs errors in JSON');
		}
		const seen: Exchange[] = [];
		const numbers = (await s.rows('/phone-numbers')).map(({ number }) => String(number));
		for (const to of ['+0202555', '1202555', '+1 202555', '+120255', '+1234567890123456']) {
			const { answer, form } = await numberRefused(s, to);
			if (form === right.form || isOk(answer)) {
				seen.push(answer);
			}
			if (isOk(answer)) {
				break;
			}
		}
		const odd = numbers.filter((number) => !/^\+\d+$/.test(number)).length;
		return verdict(
			seen.length === 0 && odd === 0,
			`${seen.length} wrong numbers were answered as a right one`,
			`${odd} numbers are shown in another form`,
			right.answer,
		);
	}),
	assumption('Other wrong fields of an agent call', ['write', 'call'], async (s) => {
		const answer = await s.ask('POST', `${await pathOf(s)}/call`, {
			to: '+1202555',
			delay_seconds: 'x',
			is_testing: true,
		});
		return verdict(answer.status === 422 && refusesField(answer, 'delay_seconds'), answer);
	}),
	assumption('Status during `delay_seconds`', ['call'], async (s) => {
		const { placed, found } = await delayed(s);
		const status = found?.status ?? dataIn(placed.body).status;
		return verdict(word(status) === 'initiated', `status: ${JSON.stringify(status)}`);
	}),
	assumption('`POST /calls`, which is only named', ['write'], async (s) => {
		const body = { agent_id: UNKNOWN_ID, is_testing: true };
		const [number, unknown] = [
			await s.ask('POST', '/calls', { ...body, to: 'x' }),
			await s.ask('POST', '/calls', { ...body, to: '+1202555' }),
		];
		const known = ![403, 404, 405, 410].includes(number.status);
		return verdict(isRefused(number) && isRefused(unknown) && known, number, unknown);
	}),
	assumption('What ends a call by `end-call`?', ['call'], async (s) => {
		const { ended, again, listed } = await delayed(s);
		return verdict(
			isOk(ended) &&
				word(dataIn(ended.body).status) === 'completed' &&
				word(listed?.status) === 'completed' &&
				again.status === 409,
			ended,
			again,
			shown(listed, 'status'),
		);
	}),
	assumption('`started_at` and `duration_seconds` of an active call', ['call'], async (s) => {
		const { placed, found, active } = await delayed(s);
		const since = momentOf(found?.started_at) - momentOf(anywhere(placed.body, 'created_at'));
		return verdict(Math.abs(since) <= 1000 && Number(found?.duration_seconds) >= 0, active);
	}),
]);
