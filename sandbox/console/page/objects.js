import { attempt, send, useLoaded } from './api.js';
import { CalendarDetail } from './calendar.js';
import { CampaignDetail, progressText } from './campaigns.js';
import { count, plural, words } from './format.js';
import { html, useState } from './lib.js';
import { ActionButton, Badge, Code, Empty, Facts, Failed, Headers, Loaded, Panel, WebhookLinks } from './parts.js';
import { linkTo } from './route.js';
import { FlowWithWalk } from './walk.js';

const KINDS = [
	['agents', 'Agents'],
	['campaigns', 'Campaigns'],
	['webhooks', 'Webhooks'],
	['calendars', 'Calendars'],
	['phone-numbers', 'Phone numbers'],
];

/** The objects of the environment, a kind at a time, and one object with its links. */
export function ObjectsView({ kind = 'agents', rest, status }) {
	const [id] = rest;
	return html`<div class="page">
		<nav class="subnav" aria-label="Kinds of objects">
			${KINDS.map(([name, text]) => html`<a key=${name} href=${linkTo(['objects', name])} aria-current=${name === kind ? 'page' : undefined}>${text}</a>`)}
		</nav>
		${show(kind, id, status)}
	</div>`;
}

function show(kind, id, status) {
	switch (kind) {
		case 'agents':
			return id ? html`<${Agent} key=${id} id=${id} />` : html`<${Agents} />`;
		case 'campaigns':
			return id ? html`<${CampaignDetail} key=${id} id=${id} />` : html`<${Campaigns} />`;
		case 'webhooks':
			return html`<${Webhooks} id=${id} />`;
		case 'calendars':
			return id ? html`<${CalendarDetail} key=${id} id=${id} now=${status?.now} />` : html`<${Calendars} />`;
		case 'phone-numbers':
			return html`<${Numbers} />`;
		default:
			return html`<${Empty} title="There is no such kind of object" />`;
	}
}

const isObject = ({ type }) => type === 'object';

/** A list of cards, each with a link. */
function Cards({ items, card, empty }) {
	return items.length === 0
		? html`<${Empty} title=${empty} />`
		: html`<ul class="cards">${items.map((item) => html`<li key=${item.id} class="card">${card(item)}</li>`)}</ul>`;
}

function Agents() {
	const agents = useLoaded('agents', isObject);
	return html`<${Loaded} from=${agents}>${(items) => html`<${Cards}
		items=${items}
		empty="There are no agents"
		card=${(agent) => html`
			<div class="spread"><a class="cardTitle" href=${linkTo(['objects', 'agents', agent.id])}>${agent.name}</a><${Badge} status=${agent.current_status} /></div>
			<p class="muted">${agent.label}</p>
			<p class="muted">${words(agent.direction)} · ${agent.phone_numbers?.map(({ number }) => number).join(', ') || 'no number'}${agent.actions > 0 ? ` · ${plural(agent.actions, 'action')}` : ''}${agent.conversation_mode === 'flow_driven' ? ' · flow' : ''}</p>`}
	/>`}</${Loaded}>`;
}

function Agent({ id }) {
	const agent = useLoaded(`agents/${encodeURIComponent(id)}`, isObject);
	const webhooks = useLoaded('webhooks', isObject);
	const back = '#/objects/agents';
	return html`<p class="crumbs"><a href=${back}>← All agents</a></p>
		<${Loaded} from=${agent} back=${back}>${(data) => {
			const own = (webhooks.data ?? []).filter(({ agent_id }) => agent_id === id);
			return html`<div class="titleRow"><h2 class="title">${data.name}</h2><${Badge} status=${data.current_status} /></div>
				${data.flow_config ? html`<${FlowWithWalk} key=${JSON.stringify(data.flow_config)} flow=${data.flow_config} actions=${data.actions} />` : null}
				<div class="columns">
					<div>
						<${Panel} title="First message"><blockquote>${data.initial_message ?? 'None'}</blockquote></${Panel}>
						<${Panel} title="Actions">${
							data.actions.length === 0
								? html`<p class="muted">It has none.</p>`
								: data.actions.map(
										(action) =>
											html`<details key=${action.id}><summary>${action.name} <${Badge} status=${action.current_status} /> <span class="muted">${action.type}</span></summary><p>${action.description}</p><${Code} value=${action} label=${`the action ${action.name}`} /></details>`,
									)
						}</${Panel}>
						<${Panel} title="Trainings">${
							data.trainings.length === 0
								? html`<p class="muted">It has none.</p>`
								: data.trainings.map(
										({ id: training, subject, instructions }) =>
											html`<details key=${training}><summary>${subject}</summary><p>${instructions}</p></details>`,
									)
						}</${Panel}>
						<${Panel} title="Settings"><${Code} value=${data.settings} label="the settings" /></${Panel}>
					</div>
					<div>
						<${Panel} title="Details">
							<${Facts}
								rows=${[
									['Label', data.label],
									['Direction', words(data.direction)],
									['Language', data.language],
									['Voice', data.voice?.name],
									['Numbers', data.phone_numbers.map(({ number }) => number).join(', ')],
									['Conversation', words(data.conversation_mode)],
									['Calls', html`<a href=${linkTo(['calls'], { agentId: id })}>Calls of this agent</a>`],
									['Agent ID', html`<code>${id}</code>`],
								]}
							/>
						</${Panel}>
						<${Panel} title="Webhooks"><${WebhookLinks} webhooks=${own} /></${Panel}>
						<${Panel} title=${`Campaigns (${count(data.campaigns.length)})`}>${
							data.campaigns.length === 0
								? html`<p class="muted">It has none.</p>`
								: html`<ul class="plainList scroll" tabindex="0" aria-label="Campaigns of the agent">${data.campaigns.map((campaign) => html`<li key=${campaign.id}><a href=${linkTo(['objects', 'campaigns', campaign.id])}>${campaign.name}</a> <${Badge} status=${campaign.status} /></li>`)}</ul>`
						}</${Panel}>
					</div>
				</div>`;
		}}</${Loaded}>`;
}

function Campaigns() {
	const campaigns = useLoaded('campaigns', ({ type }) => ['campaign', 'campaign_call', 'object'].includes(type));
	return html`<${Loaded} from=${campaigns}>${(items) => html`<${Cards}
		items=${items}
		empty="There are no campaigns"
		card=${(campaign) => html`
			<div class="spread"><a class="cardTitle" href=${linkTo(['objects', 'campaigns', campaign.id])}>${campaign.name}</a><${Badge} status=${campaign.status} /></div>
			<p class="muted">Agent: ${campaign.agent?.name ?? 'none'}</p>
			${
				campaign.progress.total > 0
					? html`<progress max=${campaign.progress.total} value=${campaign.progress.over} aria-label=${`Progress of ${campaign.name}`}></progress><p class="muted">${progressText(campaign.progress)}</p>`
					: html`<p class="muted">No calls in the queue</p>`
			}`}
	/>`}</${Loaded}>`;
}

function Webhooks({ id }) {
	const webhooks = useLoaded('webhooks', ({ type }) => type === 'object' || type === 'delivery');
	return html`<${Loaded} from=${webhooks}>${(items) => {
		if (id) {
			const webhook = items.find((item) => item.id === id);
			return html`<p class="crumbs"><a href="#/objects/webhooks">← All webhooks</a></p>
				${webhook ? html`<${Webhook} webhook=${webhook} />` : html`<${Failed} error=${{ status: 404, message: 'There is no webhook with this ID.' }} back="#/objects/webhooks" />`}`;
		}
		return items.length === 0
			? html`<${Empty} title="No webhooks yet"><p>Publish a workflow with the trigger in n8n: it registers one here.</p></${Empty}>`
			: html`<${Cards}
					items=${items}
					card=${(webhook) => html`
						<div class="spread"><a class="cardTitle" href=${linkTo(['objects', 'webhooks', webhook.id])}>${webhook.name}</a><${WebhookState} webhook=${webhook} /></div>
						<p class="muted"><code>${webhook.webhook_url}</code></p>
						<p class="muted">${plural(webhook.events.length, 'event')}</p>`}
				/>`;
	}}</${Loaded}>`;
}

function WebhookState({ webhook }) {
	if (!webhook.enabled) {
		return html`<${Badge} tone="warn" text="Disabled" />`;
	}
	return webhook.failing ? html`<${Badge} tone="bad" text="Failing" />` : html`<${Badge} tone="good" text="Enabled" />`;
}

function Webhook({ webhook }) {
	const [shown, setShown] = useState(false);
	const [kind, ownerId, one] = webhook.agent_id
		? ['agents', webhook.agent_id, 'Agent']
		: ['campaigns', webhook.campaign_id, 'Campaign'];
	const owners = useLoaded(kind, isObject);
	const name = owners.data?.find((owner) => owner.id === ownerId)?.name;
	const test = () =>
		attempt(async () => {
			const [event] = webhook.events;
			const { attempts } = await send('POST', 'deliver', { webhookId: webhook.id, event });
			const [made] = attempts;
			if (!made?.status || made.status >= 300) {
				throw new Error(`The sample of ${event} failed: ${made?.status ?? made?.error ?? 'no answer'}.`);
			}
		}, 'The sample was accepted.');
	return html`<div class="titleRow"><h2 class="title">${webhook.name}</h2><${WebhookState} webhook=${webhook} /></div>
		<div class="columns">
			<${Panel} title="Settings" actions=${webhook.events.length > 0 ? html`<${ActionButton} class="small" onClick=${test}>Send a sample</${ActionButton}>` : null}>
				<${Facts}
					rows=${[
						['Address', html`<code>${webhook.http_method} ${webhook.webhook_url}</code>`],
						[one, html`<a href=${linkTo(['objects', kind, ownerId])}>${name ?? ownerId}</a>`],
						['Timeout', plural(webhook.timeout, 'second')],
						['Retries', count(webhook.max_retries)],
						['Authorization', words(webhook.authorization_scheme)],
						[
							'Secret',
							webhook.webhook_secret
								? html`<code>${shown ? webhook.webhook_secret : '••••••••'}</code> <button type="button" class="small" aria-pressed=${shown} onClick=${() => setShown(!shown)}>${shown ? 'Hide' : 'Show'}</button>`
								: 'None',
						],
						['Call events', webhook.include_call_events ? 'Included' : null],
						[
							'Deliveries',
							html`<a href=${linkTo(['deliveries'], { webhookId: webhook.id })}>Deliveries to this webhook</a>`,
						],
						['Webhook ID', html`<code>${webhook.id}</code>`],
					]}
				/>
				${webhook.custom_headers.length > 0 ? html`<h3 class="above">Headers</h3><${Headers} label="Headers of the webhook" headers=${Object.fromEntries(webhook.custom_headers.map(({ key }) => [key, '••••••••']))} />` : null}
			</${Panel}>
			<div>
				<${Panel} title="Events"><ul class="plainList">${webhook.events.map((event) => html`<li key=${event}><code>${event}</code></li>`)}</ul></${Panel}>
				${Object.keys(webhook.payload_templates ?? {}).length > 0 ? html`<${Panel} title="Templates"><${Code} value=${webhook.payload_templates} label="the templates" /></${Panel}>` : null}
			</div>
		</div>`;
}

function Calendars() {
	const calendars = useLoaded('calendars', isObject);
	return html`<${Loaded} from=${calendars}>${(items) => html`<${Cards}
		items=${items}
		empty="There are no calendars"
		card=${(calendar) => html`
			<a class="cardTitle" href=${linkTo(['objects', 'calendars', calendar.id])}>${calendar.name}</a>
			<p class="muted">${calendar.timezone}</p>
			<p class="muted">${plural(calendar.events, 'event')} · ${plural(calendar.rules, 'rule')} · ${plural(calendar.members, 'member')}</p>`}
	/>`}</${Loaded}>`;
}

function Numbers() {
	const numbers = useLoaded('phone-numbers', isObject);
	const agents = useLoaded('agents', isObject);
	const users = (id) =>
		(agents.data ?? []).filter(({ phone_numbers }) => phone_numbers?.some((number) => number.id === id));
	return html`<${Loaded} from=${numbers}>${(items) => html`<${Cards}
		items=${items}
		empty="There are no phone numbers"
		card=${({ id, number, country_code, current_status }) => html`
			<div class="spread"><strong>${number}</strong><${Badge} status=${current_status} /></div>
			<p class="muted">${country_code}</p>
			<p class="muted clamp">${users(id).map((agent, index) => html`${index > 0 ? ', ' : ''}<a key=${agent.id} href=${linkTo(['objects', 'agents', agent.id])}>${agent.name}</a>`)}${users(id).length === 0 ? 'No agent has it' : ''}</p>`}
	/>`}</${Loaded}>`;
}
