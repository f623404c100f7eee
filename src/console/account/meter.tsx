import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../components.tsx';

/** How much of an allowance is used. */
export function Meter({
  label,
  used,
  limit,
  note,
}: {
  label: string;
  used: number;
  limit: number | null;
  note: ComponentChildren;
}): VNode {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
  return (
    <div class="meter">
      <div class="meter-head">
        <span>{label}</span>
        <span class="number">
          <strong>{countText(used)}</strong> {limit === null ? 'no limit' : `of ${countText(limit)}`}
        </span>
      </div>
      {/* Not <meter>, whose parts every browser places in its own way; the text above says the same. */}
      <svg class={`bar ${tone}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share * 100} height={1} />
      </svg>
      <p class="hint">{note}</p>
    </div>
  );
}
