import { attempt, send, useLoaded } from './api.js';
import { duration, time, words } from './format.js';
import { html, useState } from './lib.js';
import { PagedList, usePages } from './list.js';
import { Badge, Code, Dialog, Empty, Field, FilterText, Select } from './parts.js';
import { Board } from './phones.js';
import { linkTo, replaceWith } from './route.js';
import { ScriptDialog, Scripts } from './scripts.js';

const STATUSES = ['initiated', 'ringing', 'answered', 'completed', 'no-answer', 'busy', 'failed'];

/** The ringing phones, how calls go, and the calls so far. */
export function CallsView({ query, status }) {
	const [dialog, setDialog] = useState(null);
	return html`<div class="page">
		<${Board} status=${status} onInbound=${() => setDialog('inbound')} onScript=${() => setDialog('script')} />
		<${Scripts} />
		<${Calls} query=${query} onInbound=${() => setDialog('inbound')} />
		${dialog === 'inbound' ? html`<${Inbound} onClose=${() => setDialog(null)} />` : null}
		${dialog === 'script' ? html`<${ScriptDialog} onClose=${() => setDialog(null)} />` : null}
	</div>`;
}

function Calls({ query, onInbound }) {
	const { q = '', status = '', direction = '', agentId = '', campaignId = '' } = query;
	const inProgress = status === 'active';
	const list = usePages(
		'calls',
		{ q, direction, agentId, campaignId, ...(inProgress ? { active: 'true' } : { status }) },
		({ type }) => type === 'call',
		(call, change) => ({ ...call, status: change.status }),
	);
	const filter = (more) => replaceWith(linkTo(['calls'], { ...query, ...more }));
	const filtered = Object.values(query).some(Boolean);
	return html`<section class="panel listPanel" aria-labelledby="calls">
		<header>
			<h2 id="calls">Calls</h2>
			<div class="filters">
				<${FilterText} value=${q} onChange=${(value) => filter({ q: value })} label="Filter calls" placeholder="Number, agent, payload…" />
				<${Select}
					aria-label="Status"
					value=${status}
					onChange=${(value) => filter({ status: value })}
					options=${[['', 'All statuses'], ['active', 'In progress'], ...STATUSES.map((name) => [name, words(name)])]}
				/>
				<${Select}
					aria-label="Direction"
					value=${direction}
					onChange=${(value) => filter({ direction: value })}
					options=${[['', 'Both directions'], ['outbound', 'Outbound'], ['inbound', 'Inbound']]}
				/>
				${agentId || campaignId ? html`<a class="button small" href="#/calls">Show calls of all ${agentId ? 'agents' : 'campaigns'}</a>` : null}
			</div>
		</header>
		<${PagedList}
			list=${list}
			label="Calls"
			noun="call"
			href=${({ id }) => linkTo(['calls', id])}
			row=${callRow}
			empty=${filtered ? html`<${Empty} title="No call matches"><p><a class="button" href="#/calls">Show all calls</a></p></${Empty}>` : html`<${NoCalls} onInbound=${onInbound} />`}
		/>
	</section>`;
}

function callRow(call) {
	const inbound = call.direction === 'inbound';
	return html`<span class="rowMain">
			<strong>${inbound ? `${call.from} → ${call.agent?.name ?? call.to}` : (call.to_formatted ?? call.to)}</strong>
			<span class="muted">${inbound ? 'Inbound' : `Outbound by ${call.agent?.name ?? 'an agent'}`}${call.campaign_id ? ', campaign' : ''}${call.is_testing ? ', test' : ''}</span>
		</span>
		<span class="rowSide">
			<${Badge} status=${call.status} />
			<span class="muted">${call.status === 'completed' ? `${duration(call.duration)} · ` : ''}${time(call.created_at)}</span>
		</span>`;
}

function NoCalls({ onInbound }) {
	const seed = useLoaded('seed');
	const agent = seed.data?.agents?.published ?? 'AGENT_ID';
	const command = `curl -X POST ${location.origin}/api/v1/agents/${agent}/call -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"to": "+12025550001"}'`;
	return html`<${Empty} title="No calls yet">
		<p>Place one from n8n with the operation Call → Place, let a phone call an agent, or use a shell:</p>
		<${Code} value=${command} label="the command" />
		<p><button type="button" class="primary" onClick=${onInbound}>Call an agent</button></p>
	</${Empty}>`;
}

/** A phone calls one of the numbers that an inbound agent has. */
function Inbound({ onClose }) {
	const agents = useLoaded('agents');
	const numbers = [
		...new Map(
			(agents.data ?? [])
				.filter(({ direction, current_status }) => direction === 'inbound' && current_status === 'published')
				.flatMap((agent) => (agent.phone_numbers ?? []).map(({ number }) => [number, `${number} (${agent.name})`]))
				.reverse(),
		),
	];
	const [to, setTo] = useState('');
	const chosen = to || numbers[0]?.[0] || '';
	const submit = async (event) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const placed = await attempt(
			() =>
				send('POST', 'inbound', {
					to: chosen,
					from: String(form.get('from')).trim(),
					answer: form.get('answer') === 'yes',
				}),
			'The phone is ringing.',
		);
		if (placed) {
			onClose();
		}
	};
	return html`<${Dialog} title="Call an agent" onClose=${onClose}>
		${
			agents.data && numbers.length === 0
				? html`<p>No published agent with the direction inbound has a phone number. Publish one first.</p>`
				: html`<form onSubmit=${submit}>
						<${Field} label="From (the phone that calls)"><input name="from" required value="+12025550199" pattern="\\+[1-9][0-9]{6,14}" title="A number with + and country code" /></${Field}>
						<${Field} label="To (the agent’s number)"><${Select} value=${chosen} onChange=${setTo} options=${numbers} /></${Field}>
						<${Field} label="The agent answers"><select name="answer"><option value="yes">Yes</option><option value="no">No, nobody answers</option></select></${Field}>
						<div class="actions end">
							<button type="button" onClick=${onClose}>Cancel</button>
							<button class="primary">Call</button>
						</div>
					</form>`
		}
	</${Dialog}>`;
}
