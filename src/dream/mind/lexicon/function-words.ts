/**
 * Words that do not change which fact a statement states, beside those that a search passes over too: who keeps it,
 * how firmly it is meant, that something is done, used or there.
 */
export const SLIGHT = `
the a an this that these those there here it its they them their he him his she her
owner user team project people person folks guys everyone
is are was were be been being am do does did done doing has have had having will would shall should must may might can could
need needs want wants ought supposed has-to
use uses used using usage utilise utilize employ leverage rely relies go goes going run runs running ran work works working
make makes made making take takes took taken taking get gets got put puts let lets set sets
happen happens occur occurs place exist exists serves-as serve-as act acts
please always generally usually normally typically basically simply just really very quite actually currently presently today now
nowadays still already also too both either all every each any whole entire only
went-up goes-up gone-up went-down goes-down gone-down fallen
keep keeps stay stays remain remains remained
mode whenever
you'll they'll he'll she'll it'll that's there's here's let's
throughout inside
strictly exclusively solely purely ever whenever
one thing things stuff way ways kind sort type-of
as of at by for from in into on onto to with within via through over under about per
and or but so then than if when while where which who whom whose what how
our ours we us my mine me i your yours you
sure remember note notes noted keep-in-mind known know knows called-for
see sees follow follows hold holds contain contains
come comes came give gives given giving
team's company's project's
own
execute executes executed executing perform performs performed performing conduct conducts conducted carry-out carried-out
approximately roughly approx circa particularly especially kindly
managed-in managed-with managed-through managed-via maintained-in maintained-with handled-with handled-through
i'm i've i'd i'll we're we've we'll you're they're they've
`

export const SLIGHT_CHINESE = `
的 了 吗 呢 吧 啊 呀 嘛 着 过 地 得 之 其 该 此 本 这 那 这个 那个 这些 那些 这里 那里 它 他 她 它们 他们 她们 我 我们 咱们 你 你们 您 自己 大家
是 有 在 于 和 与 及 以及 或 或者 还是 还 也 都 就 才 又 再 很 太 最 更 把 被 给 让 对 从 到 向 为 为了 以 由 跟 同 将 会 能 能够 可 应 应该 应当 该 需 须 必须 要 想 想要 用 使用 采用 利用 运用 通过
做 进行 作 作为 当 当作 来 去 上 下 里 中 内 时 时候 个 些 种 次 项 要用 须用 一 一个 一只 一条 一台 一份 一位 一名 一张 养 养了 养着 一下 一次 一种 一直 总是 始终 通常 一般 平时 经常 目前 现在 当前 现 已 已经 仍 仍然 仅 只 只有 只能 仅仅 全部 所有 全 每 任何 各
迁到 迁到了 迁至 迁移到 迁移到了 换到 换到了 换成 换成了 改成 改成了 改为 改到 改到了 改用 改用了 调整为 调整到 调到 调到了 提高到 提高到了 降到 降到了 升级到 升级到了 升级为 涨到 涨到了 涨至 升到 升到了 更新到 更新到了 更新为 增加到 增加到了 减少到 减少到了 缩短到 延长到 转到 转到了 推迟到 推迟到了 提前到 提前到了 希望 以后 今后 往后 用户 主人 团队 项目 项目组 我方 人 请 开 会 记得 记住 注意 务必 一律 统一 均 皆 所 等 等等 方面 方式 关于 相关 有关 情况 东西 事情 进来 出来 起来 下来 完 好 需要
`

/** Words that turn what their clause says into its opposite, the longest first. */
export const CHINESE_NEGATORS = [
  ...'不要 不用 不能 不得 不再 不会 不可 不许 不准 不应 不应该 不是 不在 不想 不爱 不吃 不喝 不做 不写 不使用 不支持 不允许 不需要 不放 不住 不叫 不让 从不 绝不 决不 从来不 永不 没有 没 未 别 勿 切勿 避免 拒绝 停止 不 无 非 并非'.split(
    ' ',
  ),
].sort((a, b) => b.length - a.length)

/** `不` and its like are part of these and negate nothing. */
export const CHINESE_NOT_NEGATING =
  /不(?:错|同|过|仅|但|断|久|管|论|少|止|只|时|妨|如|光|足|锈)|差不多|对不起|没关系|没问题|无论|无线|无障碍|非常|别人|别名|级别|区别|特别|类别|性别|识别|分别|个别|未来|无服务器|无状态/g

/** In these a word of denial denies nothing. */
export const NOT_NEGATING =
  /\b(?:not only|no(?:t)? (?:more|later|less|fewer|earlier|longer|larger|bigger|higher|greater|lower|smaller|shorter|older) than|no problem|whether or not|not necessarily|no matter|(?:do not|don't|never) (?:forget|hesitate|fail)(?: to)?|why not|no\. ?\d|cannot wait|can't wait|stop words?|nonstop|full stop|bus stop|without fail|without exception)\b/gi
