import { Flow } from './flow.js';
import { count, words } from './format.js';
import { html, useLayoutEffect, useMemo, useRef, useState } from './lib.js';
import { Badge, Code, Field, Panel } from './parts.js';
import { actionOf, fillIn, isLast, otherFields, variablesIn, walkFlow, warningsOf } from './walkFlow.js';

/** More than these are hidden at first: they would push the conversation out of sight. */
const SHOWN_VARIABLES = 4;

/** A flow as a diagram, and beside it a walk through it, in which a person chooses what the caller answers. */
export function FlowWithWalk({ flow, actions }) {
	const [choices, setChoices] = useState([]);
	const { steps, problem } = walkFlow(flow, choices);
	return html`<div class="columns">
		<${Panel} title="Flow"><${Flow} flow=${flow} actions=${actions} here=${steps.at(-1)?.node.id} /></${Panel}>
		<${Panel} title="Walk this flow">
			<${Walk} flow=${flow} actions=${actions} steps=${steps} problem=${problem} choices=${choices} onChoices=${setChoices} />
		</${Panel}>
	</div>`;
}

function Walk({ flow, actions, steps, problem, choices, onChoices }) {
	const [values, setValues] = useState(new Map());
	const variables = useMemo(() => variablesIn(flow), [flow]);
	const title = useRef(null);
	const list = useRef(null);
	const started = useRef(false);
	useLayoutEffect(() => {
		if (started.current) {
			title.current?.focus();
			list.current.scrollTop = list.current.scrollHeight;
		}
		started.current = true;
	}, [choices]);
	const current = steps.at(-1);
	return html`<div class="walk form">
		<p class="muted">This is a reading aid and no test: how answers match branches is not documented, so you choose.</p>
		${
			variables.length > 0
				? html`<details open=${variables.length <= SHOWN_VARIABLES}>
					<summary>Variables (${count(variables.length)})</summary>
					<div class="form">${variables.map(
						(name) => html`<${Field} key=${name} label=${name} wide>
							<input value=${values.get(name) ?? name} onInput=${({ currentTarget }) => setValues(new Map(values).set(name, currentTarget.value))} />
						</${Field}>`,
					)}</div>
				</details>`
				: null
		}
		${current ? html`<h3 ref=${title} tabindex="-1">Step ${steps.length}: ${nameOf(current.node)}</h3>` : null}
		${current ? html`<${Step} node=${current.node} actions=${actions} values=${values} />` : null}
		${
			problem
				? html`<p class="warnText" role="alert"><span aria-hidden="true">!</span> ${problem} The walk stops here.</p>`
				: isLast(current.node)
					? html`<p><strong>${current.node.type === 'end' ? 'The conversation ends here.' : 'The caller is transferred: the flow ends here.'}</strong></p>`
					: html`<${Ways} ways=${current.ways} onChoose=${(index) => onChoices([...choices, index])} />`
		}
		${
			choices.length > 0
				? html`<div class="actions">
					<button type="button" onClick=${() => onChoices(choices.slice(0, -1))}>Back</button>
					<button type="button" onClick=${() => onChoices([])}>Start again</button>
				</div>`
				: null
		}
		${
			current
				? html`<div>
					<h3>Steps so far</h3>
					<ol class="plainList scroll" ref=${list} tabindex="0" aria-label="Steps so far">
						${steps.map(
							(
								{ node, ways, chosen },
								index,
							) => html`<li key=${index} aria-current=${index === steps.length - 1 ? 'step' : undefined}>
							${index + 1}. <strong>${nameOf(node)}</strong> ${fillIn(node.content, values)} ${actionOf(node, actions)?.name}
							${chosen === undefined ? null : html`<span class="muted"> → ${wayText(ways, chosen)}</span>`}
						</li>`,
						)}
					</ol>
				</div>`
				: null
		}
	</div>`;
}

function nameOf({ id, type }) {
	return `${id} (${words(type ?? 'no type')})`;
}

/** What happens at a node. */
function Step({ node, actions, values }) {
	const action = actionOf(node, actions);
	const said = fillIn(node.content, values);
	const other = otherFields(node);
	return html`${said ? html`<div><p class="muted">The agent says</p><blockquote>${said}</blockquote></div>` : null}
		${
			action
				? html`<div>
					<p>The action <strong>${action.name}</strong> would be sent <${Badge} status=${action.current_status} /></p>
					${
						action.input_schema.length === 0
							? html`<p class="muted">It has no parameters.</p>`
							: html`<p class="muted">With the parameters</p><ul class="plainList">${action.input_schema.map(
									({ name, type, required, description }) =>
										html`<li key=${name}><code>${name}</code> <span class="muted">${type}${required ? ', required' : ''}</span> ${description}</li>`,
								)}</ul>`
					}
				</div>`
				: null
		}
		${warningsOf(node, actions).map((warning) => html`<p key=${warning} class="warnText"><span aria-hidden="true">!</span> ${warning}</p>`)}
		${Object.keys(other).length > 0 ? html`<div><p class="muted">Other fields of the node</p><${Code} value=${other} label="the other fields of the node" /></div>` : null}`;
}

function Ways({ ways, onChoose }) {
	const branches = ways.some(({ isNext }) => !isNext);
	return html`<div role="group" aria-label=${branches ? 'Branches' : 'Next step'} class="ways">
		${branches ? html`<p class="muted">Choose the branch</p>` : null}
		${ways.map(
			({ to }, index) => html`<button key=${index} type="button" onClick=${() => onChoose(index)}>
				<span>${wayText(ways, index)}</span> <span class="muted">→ ${to ?? 'nowhere'}</span>
			</button>`,
		)}
	</div>`;
}

/** A way in words. */
function wayText(ways, index) {
	const { text, isNext } = ways[index];
	if (isNext) {
		return ways.length > 1 ? 'None of these branches (next)' : 'Continue';
	}
	return text || 'A branch without a condition';
}
