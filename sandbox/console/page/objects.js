import { useLoaded, withQuery } from './api.js';
import { count, duration, plural, time, timeIn, words } from './format.js';
import { html, useState } from './lib.js';
import { PagedList, Row, usePages } from './list.js';
import { Badge, Code, Empty, Failed, Loaded, Muted, Panel } from './parts.js';
import { linkTo } from './route.js';

const DAY_MS = 86_400_000;
/** The number of days of a calendar that are shown. */
const DAYS = 60;

const isObject = ({ type }) => type === 'object';
const status = (item) => html`<${Badge} status=${item.current_status ?? item.status} />`;

/**
 * The types of objects.
 * @type {Record<string, {title: string, none?: string, state?: (item: any) => unknown, lines: (item: any) => unknown[],
 *   Links: (props: {item: any}) => unknown, changes?: string[], inList?: boolean}>}
 * `none` says where one comes from; `lines` are on its card, `Links` next to its fields; `changes` are the types of messages that change it, if other than
 * `object`; `inList`: the object is only available in the list
 */
const TYPES = {
	agents: {
		title: 'Agents',
		none: 'Create one in n8n with Agent → Create.',
		state: status,
		lines: (agent) => [agent.label, `${words(agent.direction)} · ${numbersOf(agent) || 'no number'}`],
		Links: AgentLinks,
	},
	campaigns: {
		title: 'Campaigns',
		none: 'Create one in n8n with Campaign → Create.',
		state: status,
		lines: ({ agent, progress }) => [`Agent: ${agent?.name ?? 'none'}`, html`<${Progress} progress=${progress} />`],
		Links: CampaignLinks,
		changes: ['campaign', 'campaign_call', 'object'],
	},
	webhooks: {
		title: 'Webhooks',
		none: 'Publish a workflow with the trigger in n8n: it registers one here.',
		state: webhookState,
		lines: ({ webhook_url: url, events }) => [html`<code>${url}</code>`, plural(events.length, 'event')],
		Links: WebhookLinks,
		changes: ['delivery', 'object'],
		inList: true,
	},
	calendars: {
		title: 'Calendars',
		none: 'Create one in n8n with Calendar → Create.',
		lines: ({ timezone, events, rules }) => [timezone, `${plural(events, 'event')} · ${plural(rules, 'rule')}`],
		Links: CalendarLinks,
	},
	'phone-numbers': {
		title: 'Phone numbers',
		state: status,
		lines: ({ country_code: country }) => [country],
		Links: NumberLinks,
		inList: true,
	},
};

const nameOf = ({ name, number }) => name ?? number;
const linkOf = (type, item) => html`<a href=${linkTo(['objects', type, item.id])}>${nameOf(item)}</a>`;
const numbersOf = ({ phone_numbers: numbers = [] }) => numbers.map(({ number }) => number).join(', ');

/** Shows the objects of the environment, one type at a time, and an object with its links. */
export function ObjectsView({ type = 'agents', id, now }) {
	const view = id
		? html`<${One} key=${id} type=${type} id=${id} now=${now} />`
		: html`<${All} key=${type} type=${type} />`;
	return html`<div class="stack">
		<nav class="line" aria-label="Types of objects">
			${Object.entries(TYPES).map(
				([name, { title }]) => html`<a
					key=${name}
					class="button"
					href=${linkTo(['objects', name])}
					aria-current=${name === type ? 'page' : undefined}
				>
					${title}
				</a>`,
			)}
		</nav>
		${TYPES[type] ? view : html`<${Empty} title="Unknown type of object" />`}
	</div>`;
}

/** Shows all objects of a type as cards. */
function All({ type }) {
	const { title, none, state, lines, changes = ['object'] } = TYPES[type];
	const card = (item) => html`<li key=${item.id} class="card">
		<div class="spread"><strong>${linkOf(type, item)}</strong>${state?.(item)}</div>
		${lines(item).map((line) => html`<div class="muted">${line}</div>`)}
	</li>`;
	const empty = html`<${Empty} title=${`No ${title.toLowerCase()} yet`}><p>${none}</p></${Empty}>`;
	return html`<${Loaded} from=${useLoaded(type, ({ type }) => changes.includes(type))}>
		${(items) => (items.length === 0 ? empty : html`<ul class="cards">${items.map(card)}</ul>`)}
	</${Loaded}>`;
}

/** Shows an object: its links and lists, and all of its fields. */
function One({ type, id, now }) {
	const { title, changes = ['object'], inList, state, Links } = TYPES[type];
	const end = now && new Date(Math.floor(Date.parse(now) / DAY_MS) * DAY_MS + DAYS * DAY_MS).toISOString();
	const path = withQuery(`${type}/${encodeURIComponent(id)}`, { to: type === 'calendars' ? end : '' });
	const loaded = useLoaded(inList ? type : path, ({ type }) => changes.includes(type));
	const back = linkTo(['objects', type]);
	const show = (data) => {
		const item = inList ? data.find((one) => one.id === id) : data;
		return item
			? html`<div class="line"><h2 class="title">${nameOf(item)}</h2>${state?.(item)}</div>
				<div class="columns">
					<div class="stack"><${Links} item=${item} /></div>
					<${Fields} item=${item} />
				</div>`
			: html`<${Failed} error=${{ status: 404, message: 'No object has this ID.' }} back=${back} />`;
	};
	return html`<p><a href=${back}>← All ${title.toLowerCase()}</a></p>
		<${Loaded} from=${loaded} back=${back}>${show}</${Loaded}>`;
}

/** Shows all fields of an object. Secrets of webhooks are hidden at first. */
function Fields({ item }) {
	const [shown, setShown] = useState(false);
	const { webhook_secret: secret, custom_headers: headers } = item;
	const hidden = {
		...item,
		...(secret && { webhook_secret: '••••••••' }),
		...(headers && { custom_headers: headers.map(({ key }) => ({ key, value: '••••••••' })) }),
	};
	const toggle = html`<button type="button" class="small" aria-pressed=${shown} onClick=${() => setShown(!shown)}>
		Show secrets
	</button>`;
	return html`<${Panel} title="All fields" actions=${secret || headers?.length > 0 ? toggle : null}>
		<${Code} value=${shown ? item : hidden} label="all fields" />
	</${Panel}>`;
}

/** Shows a list in a panel; `none` stands in place of an empty list. */
function ListPanel({ title, items = [], item, none }) {
	return html`<${Panel} title=${`${title} (${count(items.length)})`}>
		${
			items.length === 0
				? html`<${Muted}>None. ${none}</${Muted}>`
				: html`<ul class="scroll" tabindex="0" aria-label=${title}>
					${items.map((one) => html`<li key=${one.id}>${item(one)}</li>`)}
				</ul>`
		}
	</${Panel}>`;
}

/** Shows the objects of a type that belong to another object. */
function Linked({ type, title = TYPES[type].title, none = TYPES[type].none, of: isOwn }) {
	const all = useLoaded(type, isObject);
	const item = (one) => html`${linkOf(type, one)} ${TYPES[type].state(one)}`;
	return html`<${ListPanel} title=${title} items=${all.data?.filter(isOwn)} item=${item} none=${none} />`;
}

function AgentLinks({ item: { id, initial_message: message } }) {
	return html`<${Panel} title="First message">
			<blockquote>${message ?? 'None'}</blockquote>
			<p><a href=${linkTo(['calls'], { agentId: id })}>Calls of this agent</a></p>
		</${Panel}>
		<${Linked} type="webhooks" of=${({ agent_id: agent }) => agent === id} />
		<${Linked} type="campaigns" of=${({ agent }) => agent?.id === id} />`;
}

/** Shows how many calls of a campaign have ended. */
function Progress({ progress: { over, total } }) {
	if (total === 0) {
		return 'No calls in the queue';
	}
	return html`<progress max=${total} value=${over} aria-label="Progress"></progress>
		${count(over)} of ${plural(total, 'call')} ended (${Math.round((over / total) * 100)}%)`;
}

/** Shows the progress of a campaign, the results of its calls, and the calls. */
function CampaignLinks({ item: { id, agent, progress } }) {
	const path = `campaigns/${id}/calls`;
	const list = usePages(path, {}, (change) => change.type === 'campaign_call' && change.campaign_id === id);
	const statuses = Object.entries(progress.statuses).sort(([, one], [, other]) => other - one);
	return html`<${Panel} title="Progress">
			<p><${Progress} progress=${progress} /></p>
			<ul class="line" aria-label="Calls by status">
				${statuses.map(([name, amount]) => html`<li key=${name}><${Badge} status=${name} /> ${count(amount)}</li>`)}
			</ul>
			<p>
				${agent ? html`Agent: ${linkOf('agents', agent)} · ` : null}
				<a href=${linkTo(['calls'], { campaignId: id })}>Calls of this campaign</a>
			</p>
		</${Panel}>
		<section class="panel" aria-label="Queued calls">
			<h2>Queued calls</h2>
			<${PagedList}
				list=${list}
				label="Queued calls"
				noun="call"
				href=${(call) => linkTo(['calls', call.id])}
				row=${queuedRow}
				empty=${html`<${Muted}>Add calls in n8n with the operation Campaign → Queue Call.</${Muted}>`}
			/>
		</section>
		<${Linked} type="webhooks" of=${({ campaign_id: campaign }) => campaign === id} />`;
}

function queuedRow(call) {
	const attempts = call.retries > 0 ? plural(call.retries, 'retry', 'retries') : 'First attempt';
	return html`<${Row}
		title=${call.to}
		note=${`${attempts}${call.is_testing ? ', test' : ''}`}
		state=${status(call)}
		end=${`${call.duration > 0 ? `${duration(call.duration)} · ` : ''}${time(call.scheduled_at ?? call.created_at)}`}
	/>`;
}

function webhookState({ enabled, failing }) {
	const [tone, text] = !enabled ? ['warn', 'Disabled'] : failing ? ['bad', 'Failing'] : ['good', 'Enabled'];
	return html`<${Badge} tone=${tone} text=${text} />`;
}

function WebhookLinks({ item: { id, webhook_url: url, agent_id: agent, campaign_id: campaign } }) {
	const owner = ({ id: one }) => one === (agent ?? campaign);
	return html`<${Panel} title="Deliveries">
			<p><code>${url}</code></p>
			<p><a href=${linkTo(['deliveries'], { webhookId: id })}>Deliveries to this webhook</a></p>
		</${Panel}>
		<${Linked} type=${agent ? 'agents' : 'campaigns'} title="Owner" of=${owner} />`;
}

/** Shows the next events of a calendar, in its own time zone. */
function CalendarLinks({ item: { timezone, events } }) {
	const event = ({ title, status: state, start_at: start, end_at: end }) => html`<strong>${title}</strong>
		${' '}<${Badge} status=${state} />
		<div class="muted">${timeIn(start, timezone)} to ${timeIn(end, timezone)}, ${timezone}</div>`;
	const none = 'Create one in n8n with Calendar Event → Create.';
	return html`<${ListPanel} title=${`Events in the next ${DAYS} days`} items=${events} item=${event} none=${none} />`;
}

function NumberLinks({ item: { id } }) {
	const has = ({ phone_numbers: numbers = [] }) => numbers.some((number) => number.id === id);
	const none = 'Give an agent this number in n8n with Agent → Update.';
	return html`<${Linked} type="agents" title="Agents with this number" of=${has} none=${none} />`;
}
