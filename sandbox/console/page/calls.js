import { send, useLoaded } from './api.js';
import { duration, time, words } from './format.js';
import { html, useState } from './lib.js';
import { FilteredList, Row } from './list.js';
import { CallBadge, Dialog, DialogButtons, Empty, Field, Form, Select } from './parts.js';
import { Board, nameIn } from './phones.js';

const STATUSES = ['initiated', 'ringing', 'answered', 'completed', 'no-answer', 'busy', 'failed'];

/** The filters with a choice of values. */
const CHOICES = {
	status: ['Status', [['', 'All statuses'], ['active', 'In progress'], ...STATUSES.map((name) => [name, words(name)])]],
	direction: ['Direction', Object.entries({ '': 'Both directions', outbound: 'Outbound', inbound: 'Inbound' })],
};

/** Shows the ringing phones and the calls so far. */
export function CallsView({ query, status }) {
	const [calling, setCalling] = useState(false);
	const call = () => setCalling(true);
	const none = html`<${Empty} title="No calls yet">
		<p>Place one from n8n with the operation Call → Place, or let a phone call an agent.</p>
	</${Empty}>`;
	return html`<div class="stack">
		<${Board} status=${status} onInbound=${call} />
		<${FilteredList}
			title="Calls"
			path="calls"
			item="call"
			query=${query}
			choices=${CHOICES}
			only=${{ agentId: 'Only one agent', campaignId: 'Only one campaign' }}
			toQuery=${inProgress}
			placeholder="Search numbers, agents, payloads…"
			row=${callRow}
			empty=${none}
		/>
		${calling ? html`<${Inbound} onClose=${() => setCalling(false)} />` : null}
	</div>`;
}

function inProgress({ status, ...filters }) {
	return { ...filters, ...(status === 'active' ? { active: 'true' } : { status }) };
}

function callRow(call) {
	const inbound = call.direction === 'inbound';
	const agent = call.agent?.name;
	const kind = inbound ? 'Inbound' : `Outbound by ${agent ?? 'an agent'}`;
	return html`<${Row}
		title=${(inbound ? `${call.from} → ${agent ?? call.to}` : (call.to_formatted ?? call.to)) + nameIn(call)}
		note=${`${kind}${call.campaign_id ? ', campaign' : ''}${call.is_testing ? ', test' : ''}`}
		state=${html`<${CallBadge} call=${call} />`}
		end=${`${call.status === 'completed' ? `${duration(call.duration)} · ` : ''}${time(call.created_at)}`}
	/>`;
}

/** Lets a phone call a number of an inbound agent. */
function Inbound({ onClose }) {
	const agents = useLoaded('agents');
	const options = (agents.data ?? [])
		.filter(({ direction, current_status }) => direction === 'inbound' && current_status === 'published')
		.flatMap(({ name, phone_numbers }) => phone_numbers.map(({ number }) => [number, `${number} (${name})`]));
	// Of several agents with the same number, the first one answers.
	const numbers = [...new Map(options.reverse())].reverse();
	const call = ({ answer, ...fields }) => send('POST', 'inbound', { ...fields, answer: answer === 'yes' });
	const answers = Object.entries({ yes: 'Yes', no: 'No, nobody answers' });
	return html`<${Dialog} title="Call an agent" onClose=${onClose}>
		${
			agents.data && numbers.length === 0
				? html`<p>No published agent with the direction inbound has a phone number. Publish one first.</p>`
				: html`<${Form} onSend=${call} done="The phone is ringing." onDone=${onClose}>
					<${Field} label="From (the phone that calls)" wide>
						<input
							name="from"
							required
							value="+12025550199"
							pattern="\\+[1-9][0-9]{6,14}"
							title="A number with + and country code"
						/>
					</${Field}>
					<${Field} label="To (the agent’s number)" wide><${Select} name="to" options=${numbers} /></${Field}>
					<${Field} label="The agent answers" wide><${Select} name="answer" options=${answers} /></${Field}>
					<${DialogButtons} onClose=${onClose}><button class="primary">Call</button></${DialogButtons}>
				</${Form}>`
		}
	</${Dialog}>`;
}
