import { attempt, send, useLoaded, withQuery } from './api.js';
import { count, duration, plural, time, timeIn, words } from './format.js';
import { html, useState } from './lib.js';
import { PagedList, Row, usePages } from './list.js';
import { ActionButton, Badge, Code, Empty, Facts, Failed, Loaded, Muted, Panel, Table } from './parts.js';
import { linkTo } from './route.js';

const DAY_MS = 86_400_000;
/** How many days of a calendar are shown. */
const DAYS = 60;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const isObject = ({ type }) => type === 'object';
const isCampaign = ({ type }) => ['campaign', 'campaign_call', 'object'].includes(type);
const isWebhook = ({ type }) => ['delivery', 'object'].includes(type);

/**
 * The kinds of objects: the name of each, what of them a card shows, and one object with its links.
 * @type {Record<string, {title: string, empty: string, changes: (change: any) => boolean, state: (item: any) => unknown,
 *   lines: (item: any) => unknown[], Detail: (props: any) => unknown, inList?: boolean}>} `inList`: the list has all of it
 */
const KINDS = {
	agents: {
		title: 'Agents',
		empty: 'There are no agents',
		changes: isObject,
		state: ({ current_status: status }) => html`<${Badge} status=${status} />`,
		lines: (agent) => [agent.label, `${words(agent.direction)} · ${numbersOf(agent) || 'no number'}`],
		Detail: Agent,
	},
	campaigns: {
		title: 'Campaigns',
		empty: 'There are no campaigns',
		changes: isCampaign,
		state: ({ status }) => html`<${Badge} status=${status} />`,
		lines: ({ agent, progress }) => [`Agent: ${agent?.name ?? 'none'}`, html`<${Progress} progress=${progress} />`],
		Detail: Campaign,
	},
	webhooks: {
		title: 'Webhooks',
		empty: 'There are no webhooks: publish a workflow with the trigger in n8n, which registers one here',
		changes: isWebhook,
		state: webhookState,
		lines: ({ webhook_url: url, events }) => [html`<code>${url}</code>`, plural(events.length, 'event')],
		Detail: Webhook,
		inList: true,
	},
	calendars: {
		title: 'Calendars',
		empty: 'There are no calendars',
		changes: isObject,
		state: () => null,
		lines: ({ timezone, events, rules }) => [timezone, `${plural(events, 'event')} · ${plural(rules, 'rule')}`],
		Detail: Calendar,
	},
	'phone-numbers': {
		title: 'Phone numbers',
		empty: 'There are no phone numbers',
		changes: isObject,
		state: ({ current_status: status }) => html`<${Badge} status=${status} />`,
		lines: ({ country_code: country }) => [country],
		Detail: PhoneNumber,
		inList: true,
	},
};

const linkOf = (kind, { id, name }) => html`<a href=${linkTo(['objects', kind, id])}>${name}</a>`;
const numbersOf = ({ phone_numbers: numbers = [] }) => numbers.map(({ number }) => number).join(', ');

/** The objects of the environment, a kind at a time, and one object with its links. */
export function ObjectsView({ kind = 'agents', id, now }) {
	const view = id
		? html`<${One} key=${id} kind=${kind} id=${id} now=${now} />`
		: html`<${All} key=${kind} kind=${kind} />`;
	return html`<div class="stack">
		<nav class="line" aria-label="Kinds of objects">
			${Object.entries(KINDS).map(
				([name, { title }]) => html`<a
					key=${name}
					class="button"
					href=${linkTo(['objects', name])}
					aria-current=${name === kind ? 'page' : undefined}
				>
					${title}
				</a>`,
			)}
		</nav>
		${KINDS[kind] ? view : html`<${Empty} title="There is no such kind of object" />`}
	</div>`;
}

/** All objects of a kind as cards. */
function All({ kind }) {
	const { changes, empty, state, lines } = KINDS[kind];
	const card = (item) => html`<li key=${item.id} class="card">
		<div class="spread"><strong>${linkOf(kind, { name: item.number, ...item })}</strong>${state(item)}</div>
		${lines(item).map((line) => html`<div class="muted">${line}</div>`)}
	</li>`;
	return html`<${Loaded} from=${useLoaded(kind, changes)}>
		${(items) =>
			items.length === 0 ? html`<${Empty} title=${empty} />` : html`<ul class="cards">${items.map(card)}</ul>`}
	</${Loaded}>`;
}

function One({ kind, id, now }) {
	const { title, changes, inList, state, Detail } = KINDS[kind];
	const from = new Date(Math.floor(Date.parse(now) / DAY_MS) * DAY_MS + DAYS * DAY_MS);
	const path = kind === 'calendars' && now ? withQuery(`calendars/${id}`, { to: from.toISOString() }) : `${kind}/${id}`;
	const loaded = useLoaded(inList ? kind : path, changes);
	const back = linkTo(['objects', kind]);
	const show = (data) => {
		const item = inList ? data.find((one) => one.id === id) : data;
		return item
			? html`<div class="line"><h2 class="title">${item.name ?? item.number}</h2>${state(item)}</div>
				<div class="columns"><${Detail} item=${item} /></div>`
			: html`<${Failed} error=${{ status: 404, message: 'There is no object with this ID.' }} back=${back} />`;
	};
	return html`<p><a href=${back}>← All ${title.toLowerCase()}</a></p>
		<${Loaded} from=${loaded} back=${back}>${show}</${Loaded}>`;
}

/** A list in a panel, or that there is nothing. */
function ListPanel({ title, items, item }) {
	return html`<${Panel} title=${`${title} (${count(items.length)})`}>
		${
			items.length === 0
				? html`<${Muted}>None.</${Muted}>`
				: html`<ul class="scroll" tabindex="0" aria-label=${title}>
					${items.map((one, index) => html`<li key=${one.id ?? index}>${item(one)}</li>`)}
				</ul>`
		}
	</${Panel}>`;
}

function Webhooks({ of: isOwn }) {
	const webhooks = useLoaded('webhooks', isObject);
	return html`<${ListPanel}
		title="Webhooks"
		items=${(webhooks.data ?? []).filter(isOwn)}
		item=${(webhook) => linkOf('webhooks', webhook)}
	/>`;
}

function Agent({ item: agent }) {
	const { id } = agent;
	const action = (one) => html`<details>
		<summary>${one.name} <${Badge} status=${one.current_status} /> <span class="muted">${one.type}</span></summary>
		<p>${one.description}</p>
		<${Code} value=${one} label=${`the action ${one.name}`} />
	</details>`;
	const training = ({ subject, instructions }) => html`<details>
		<summary>${subject}</summary>
		<p>${instructions}</p>
	</details>`;
	return html`<div class="stack">
			<${Panel} title="First message"><blockquote>${agent.initial_message ?? 'None'}</blockquote></${Panel}>
			<${ListPanel} title="Actions" items=${agent.actions} item=${action} />
			<${ListPanel} title="Trainings" items=${agent.trainings} item=${training} />
			${agent.flow_config ? html`<${Panel} title="Flow"><${Code} value=${agent.flow_config} label="the flow" /></${Panel}>` : null}
			<${Panel} title="Settings"><${Code} value=${agent.settings} label="the settings" /></${Panel}>
		</div>
		<div class="stack">
			<${Panel} title="Details">
				<${Facts}
					rows=${[
						['Label', agent.label],
						['Direction', words(agent.direction)],
						['Language', agent.language],
						['Voice', agent.voice?.name],
						['Numbers', numbersOf(agent)],
						['Conversation', words(agent.conversation_mode)],
						['Calls', html`<a href=${linkTo(['calls'], { agentId: id })}>Calls of this agent</a>`],
						['Agent ID', html`<code>${id}</code>`],
					]}
				/>
			</${Panel}>
			<${Webhooks} of=${({ agent_id: owner }) => owner === id} />
			<${ListPanel}
				title="Campaigns"
				items=${agent.campaigns}
				item=${(campaign) => html`${linkOf('campaigns', campaign)} <${Badge} status=${campaign.status} />`}
			/>
		</div>`;
}

/** How many calls of a campaign are over. */
function Progress({ progress: { over, total } }) {
	if (total === 0) {
		return 'No calls in the queue';
	}
	return html`<progress max=${total} value=${over} aria-label="Progress"></progress>
		${count(over)} of ${plural(total, 'call')} over (${Math.round((over / total) * 100)} %)`;
}

/** A campaign: how far it is, the results of its calls, and the calls. */
function Campaign({ item: campaign }) {
	const { id, agent, progress, timezone, earliest_call_time: earliest, latest_call_time: latest } = campaign;
	const list = usePages(
		`campaigns/${id}/calls`,
		{},
		({ type, campaign_id }) => type === 'campaign_call' && campaign_id === id,
	);
	const statuses = Object.entries(progress.statuses).sort(([, one], [, other]) => other - one);
	const type = campaign.campaign_type && words(campaign.campaign_type);
	return html`<div class="stack">
			<${Panel} title="Progress">
				<${Progress} progress=${progress} />
				<ul class="line" aria-label="Calls by status">
					${statuses.map(([status, amount]) => html`<li key=${status}><${Badge} status=${status} /> ${count(amount)}</li>`)}
				</ul>
			</${Panel}>
			<section class="panel list" aria-label="Queued calls">
				<header><h2>Queued calls</h2></header>
				<${PagedList}
					list=${list}
					label="Queued calls"
					noun="call"
					href=${(call) => linkTo(['calls', call.id])}
					row=${queuedRow}
					empty=${html`<${Empty} title="The queue is empty">
						<p>Add calls in n8n with the operation Campaign → Queue Call.</p>
					</${Empty}>`}
				/>
			</section>
		</div>
		<div class="stack">
			<${Panel} title="Details">
				<${Facts}
					rows=${[
						['Type', type],
						['Description', campaign.description],
						['Agent', agent && linkOf('agents', agent)],
						['Hours', `${earliest.slice(0, 5)} to ${latest.slice(0, 5)}, ${timezone}`],
						['Retries', `${campaign.max_retries}, after ${plural(campaign.retry_cooldown_hours, 'hour')}`],
						['Calls', html`<a href=${linkTo(['calls'], { campaignId: id })}>Calls of this campaign</a>`],
						['Campaign ID', html`<code>${id}</code>`],
					]}
				/>
			</${Panel}>
			<${Webhooks} of=${({ campaign_id: owner }) => owner === id} />
		</div>`;
}

function queuedRow(call) {
	const attempt = call.retries > 0 ? plural(call.retries, 'retry', 'retries') : 'First attempt';
	return html`<${Row}
		title=${call.to}
		note=${`${attempt}${call.is_testing ? ', test' : ''}`}
		state=${html`<${Badge} status=${call.status} />`}
		end=${`${call.duration > 0 ? `${duration(call.duration)} · ` : ''}${time(call.scheduled_at ?? call.created_at)}`}
	/>`;
}

function webhookState({ enabled, failing }) {
	const [tone, text] = !enabled ? ['warn', 'Disabled'] : failing ? ['bad', 'Failing'] : ['good', 'Enabled'];
	return html`<${Badge} tone=${tone} text=${text} />`;
}

function Webhook({ item: webhook }) {
	const [shown, setShown] = useState(false);
	const { id, events, webhook_secret: secret, payload_templates: templates = {} } = webhook;
	const owner = webhook.agent_id ? 'agents' : 'campaigns';
	const ownerId = webhook.agent_id ?? webhook.campaign_id;
	const name = useLoaded(owner, isObject).data?.find((one) => one.id === ownerId)?.name ?? ownerId;
	const test = () =>
		attempt(async () => {
			const [event] = events;
			const { attempts } = await send('POST', 'deliver', { webhookId: id, event });
			const [made] = attempts;
			if (!made?.status || made.status >= 300) {
				throw new Error(`The sample of ${event} failed: ${made?.status ?? made?.error ?? 'no answer'}.`);
			}
		}, 'The sample was accepted.');
	const sample = html`<${ActionButton} class="small" onClick=${test}>Send a sample</${ActionButton}>`;
	const toggle = html`<button type="button" class="small" aria-pressed=${shown} onClick=${() => setShown(!shown)}>
		${shown ? 'Hide' : 'Show'}
	</button>`;
	const headers = Object.fromEntries(webhook.custom_headers.map(({ key }) => [key, '••••••••']));
	return html`<${Panel} title="Settings" actions=${events.length > 0 ? sample : null}>
			<${Facts}
				rows=${[
					['Address', html`<code>${webhook.http_method} ${webhook.webhook_url}</code>`],
					[owner === 'agents' ? 'Agent' : 'Campaign', linkOf(owner, { id: ownerId, name })],
					['Timeout', plural(webhook.timeout, 'second')],
					['Retries', count(webhook.max_retries)],
					['Authorization', words(webhook.authorization_scheme)],
					['Secret', secret ? html`<code>${shown ? secret : '••••••••'}</code> ${toggle}` : 'None'],
					['Call events', webhook.include_call_events ? 'Included' : null],
					['Deliveries', html`<a href=${linkTo(['deliveries'], { webhookId: id })}>Deliveries to this webhook</a>`],
					['Webhook ID', html`<code>${id}</code>`],
				]}
			/>
			${webhook.custom_headers.length > 0 ? html`<h3>Headers</h3><${Table} label="Headers" rows=${headers} />` : null}
		</${Panel}>
		<div class="stack">
			<${ListPanel} title="Events" items=${events} item=${(event) => html`<code>${event}</code>`} />
			${
				Object.keys(templates).length > 0
					? html`<${Panel} title="Templates"><${Code} value=${templates} label="the templates" /></${Panel}>`
					: null
			}
		</div>`;
}

/** A calendar with its next events, in its own timezone. */
function Calendar({ item: calendar }) {
	const { timezone } = calendar;
	const event = ({ title, status, start_at: start, end_at: end }) => html`<strong>${title}</strong>
		${' '}<${Badge} status=${status} />
		<div class="muted">${timeIn(start, timezone)} to ${timeIn(end, timezone)}</div>`;
	return html`<${ListPanel} title=${`Events in ${DAYS} days`} items=${calendar.events} item=${event} />
		<div class="stack">
			<${ListPanel} title="Opening hours" items=${calendar.rules} item=${ruleText} />
			<${Panel} title="Details">
				<${Facts}
					rows=${[
						['Timezone', timezone],
						...calendar.members.map(({ user_id: user, role }) => [words(role), html`<code>${user}</code>`]),
						['Calendar ID', html`<code>${calendar.id}</code>`],
					]}
				/>
				<h3>Metadata</h3>
				<${Code} value=${calendar.metadata} label="the metadata" />
			</${Panel}>
		</div>`;
}

function ruleText(rule) {
	if (rule.type === 'recurring') {
		const days = rule.days_of_week.map((day) => WEEKDAYS[day - 1]).join(', ');
		return `${days}: ${rule.start_time} to ${rule.end_time}, ${rule.timezone}`;
	}
	return `${rule.date}: ${rule.available ? 'open all day' : 'closed'}`;
}

function PhoneNumber({ item: { id, country_code: country } }) {
	const agents = useLoaded('agents', isObject);
	const has = ({ phone_numbers: numbers = [] }) => numbers.some((number) => number.id === id);
	return html`<${ListPanel}
			title="Agents with this number"
			items=${(agents.data ?? []).filter(has)}
			item=${(agent) => linkOf('agents', agent)}
		/>
		<${Panel} title="Details">
			<${Facts} rows=${[['Country', country], ['Number ID', html`<code>${id}</code>`]]} />
		</${Panel}>`;
}
