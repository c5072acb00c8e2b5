/**
 * Words that people put for one another where everything else of a statement is the same, a line for each kind. Alone
 * they do not mean the same, so they count only beside enough that does. Words of opposite or of plainly different
 * doings (read and write, open and close) are on no line together.
 */
export const KINDRED = `
report send emit transmit push publish deliver post forward
log record track capture collect gather receive register report
retain keep store save preserve hold retention lifetime
responsible process cover handle manage run operate head lead oversee supervise coordinate fly steer drive-route
employer job hire
play perform
practice practise rehearse rehearsal training
salary pay payday paid payroll
grow-up raise brought-up
open available reachable staffed reach
power provide run drive back basis
fire firing heat bake temperature
expire last valid lapse end session-length duration lifetime timeout
expose publish print show output
hold seat accommodate capacity fit room-for
water irrigate irrigation
sell sale sold
build compile make construct assemble
call address refer
explain describe present outline show
sign approve confirm
drop retire discontinue sunset deprecate
check inspect examine audit review control
measure gauge reading
purchase order buy
wear need use require
install mount attach
host run locate
plan intend aim
spend allocate cost
finish deliver hand-over due
contain include comprise list hold
document describe record list collect locate show contain hold present
present show display
carry transport haul move
grow cultivate plant
clean wash scrub rinse
paint colour
cut trim prune
count number amount
limit may allow permit restrict cap
start begin open launch commence
close end finish stop
leave depart go
arrive come reach
visit go travel fly
wide width
high height tall
long length
deep depth
heavy weigh
live reside stay inhabit
teach mentor coach train instruct
write draft compose author formulate word phrase
name call contain include
sync synchronise synchronize mirror
back-up copy mirror
update refresh renew adjust
translate localise localize
lend loan borrow
rent lease hire
happen occur place run schedule arrange organise organize hold
assemble meet gather
belong part
pay cost charge bill
age old
experience program work
prefer want like wish need expect
avoid refrain skip forbid
need require demand call-for ask
cite name give mention quote
format style shape
rule policy requirement must
answer reply message response
result output outcome
picture image photo photograph
employee worker colleague member staff
client customer guest visitor
person member people
company firm business organisation organization
price cost fee rate charge
turn rotate spin revolve
full complete whole entire
lend give hand
tolerate bear stand eat
place location site spot venue
book volume title
date day
time hour
amount quantity number
room hall space
tool software program application app system
area field domain
group team crew squad
error bug failure crash
goal target objective budget
document page file article
kind type category
负责 管理 主管 牵头 跟进 处理
保存 存储 存放 保留 留存
发送 发布 推送 寄送 发出
进行 举行 召开 举办 安排
清洗 清洁 打扫
修改 改动 改完 改好 更新 编辑
运行 执行 跑 跑完 运转
称为 称呼 叫 名叫
`
